import Glibc
package import NIOCore

/// What an archive asks of a disk; tests have disks that are full.
package struct ArchiveStorage: Sendable {
    /// Writes all of the buffer at that offset.
    ///
    /// - Returns: zero, or the number of what went wrong.
    package var write: @Sendable (_ descriptor: Int32, ByteBuffer, _ offset: Int64) -> Int32
    /// Waits until what was written is on the disk.
    package var synchronize: @Sendable (_ descriptor: Int32) -> Int32

    package init(
        write: @escaping @Sendable (_ descriptor: Int32, ByteBuffer, _ offset: Int64) -> Int32,
        synchronize: @escaping @Sendable (_ descriptor: Int32) -> Int32
    ) {
        self.write = write
        self.synchronize = synchronize
    }

    package static let disk = ArchiveStorage(
        write: { DiskFile.write($1, to: $0, at: $2) },
        synchronize: { fdatasync($0) == 0 ? 0 : errno })
}
