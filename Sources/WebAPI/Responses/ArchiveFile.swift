/// A file of an archive.
struct ArchiveFile: Sendable {
    /// A relative path.
    var name: String
    /// Makes the bytes when the turn of the file comes.
    var content: @Sendable () -> [UInt8]
}
