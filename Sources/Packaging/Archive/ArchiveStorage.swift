import Glibc
package import NIOCore

/// The disk operations of an archive; tests replace them with a full disk.
package struct ArchiveStorage: Sendable {
    /// Writes the whole buffer at an offset.
    ///
    /// - Returns: Zero, or an `errno`.
    package var write: @Sendable (_ descriptor: Int32, ByteBuffer, _ offset: Int64) -> Int32
    /// Flushes the file; returns zero, or an `errno`.
    package var synchronize: @Sendable (_ descriptor: Int32) -> Int32
    /// The free bytes on the disk of a folder; `nil` if they cannot be determined.
    package var freeByteCount: @Sendable (_ folder: String) -> Int64?

    /// Creates a storage from its operations.
    package init(
        write: @escaping @Sendable (_ descriptor: Int32, ByteBuffer, _ offset: Int64) -> Int32,
        synchronize: @escaping @Sendable (_ descriptor: Int32) -> Int32,
        freeByteCount: @escaping @Sendable (_ folder: String) -> Int64? = { DiskFile.freeByteCount(ofFolder: $0) }
    ) {
        self.write = write
        self.synchronize = synchronize
        self.freeByteCount = freeByteCount
    }

    /// The real disk.
    package static let disk = ArchiveStorage(
        write: { DiskFile.write($1, to: $0, at: $2) },
        synchronize: { fdatasync($0) == 0 ? 0 : errno })
}
