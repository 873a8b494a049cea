/// How far a member's upload is.
package enum UploadState: String, Sendable, Hashable, CaseIterable {
    /// Bytes are missing.
    case receiving
    /// The server makes a title of the file.
    case processing
    /// It plays, for its owner.
    case ready
    /// No title could be made of the file.
    case failed
    /// It is published.
    case published
}
