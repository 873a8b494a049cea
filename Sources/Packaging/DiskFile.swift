import Glibc
package import NIOCore

/// What everything that writes media asks of the disk.
package enum DiskFile {
    /// Writes all of the buffer at that offset. Waits for the disk.
    ///
    /// - Returns: zero, or the number of what went wrong.
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

    /// Bytes that may still be written to the disk of a folder; `nil` where it cannot be told.
    package static func freeByteCount(ofFolder path: String) -> Int64? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        let (free, overflow) = Int64(clamping: status.f_bavail).multipliedReportingOverflow(
            by: Int64(clamping: status.f_frsize))
        return overflow ? nil : free
    }
}
