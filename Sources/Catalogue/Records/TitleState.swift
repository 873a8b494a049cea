/// Progress of a title or track on its way into the library.
package enum TitleState: String, Sendable, Codable, CaseIterable {
    case queued
    /// The file's contents are being determined.
    case probing
    /// The file's sample tables are being read.
    case indexing
    /// The file is being remuxed or transcoded.
    case transcoding
    case ready
    /// The ingest failed; the record states the reason. It is retried when the file changes.
    case failed
    /// An operator cancelled the job; it resumes when the job is retried or the file changes.
    case cancelled

    /// Whether the state only changes if the file or an operator causes it.
    package var isFinal: Bool { self == .ready || mayBeRetried }

    /// Whether the ingest ended without a title or track that plays.
    package var mayBeRetried: Bool { self == .failed || self == .cancelled }
}
