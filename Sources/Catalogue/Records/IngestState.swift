/// How far a title or track has come on its way into the library.
package enum TitleState: String, Sendable, Codable, CaseIterable {
    case queued
    /// What is in the file is being found out.
    case probing
    /// Its sample tables are being read.
    case indexing
    /// It is being remuxed or transcoded.
    case transcoding
    case ready
    /// The record says why; tried again when the file changes.
    case failed
    /// An operator has ended its job; goes on when the job is retried or the file changes.
    case cancelled

    /// Nothing more will happen by itself.
    package var isFinal: Bool { self == .ready || mayBeRetried }

    /// It has ended without a title or track that plays.
    package var mayBeRetried: Bool { self == .failed || self == .cancelled }
}
