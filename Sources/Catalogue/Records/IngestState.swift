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

    /// Whether the state only changes if the file or an operator causes it.
    package var isFinal: Bool { self == .ready || self == .failed }
}
