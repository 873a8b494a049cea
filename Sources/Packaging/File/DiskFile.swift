import Glibc
package import NIOCore

/// Disk operations for everything that writes media.
package enum DiskFile {
    /// Writes the whole buffer at an offset. Waits for the disk.
    ///
    /// - Returns: Zero, or an `errno`.
    package static func write(_ buffer: ByteBuffer, to descriptor: Int32, at offset: Int64) -> Int32 {
        buffer.withUnsafeReadableBytes { bytes in
            var done = 0
            while done < bytes.count, let base = bytes.baseAddress {
                let count = pwrite(descriptor, base + done, bytes.count - done, off_t(offset) + off_t(done))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return count < 0 ? errno : ENOSPC }
                done += count
            }
            return 0
        }
    }

    /// Bytes of a disk that large files leave free: the database, the time shift and the system go on writing.
    package static let reservedByteCount: Int64 = 256 << 20

    /// The free bytes on the disk of a folder; `nil` if they cannot be determined.
    package static func freeByteCount(ofFolder path: String) -> Int64? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        let (free, overflow) = Int64(clamping: status.f_bavail).multipliedReportingOverflow(
            by: Int64(clamping: status.f_frsize))
        return overflow ? nil : free
    }
}
