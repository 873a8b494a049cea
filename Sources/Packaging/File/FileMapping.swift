import CAntenaSystem

/// A file in this process's address space, which nothing here ever reads.
///
/// `@unchecked Sendable` because of the pointer, which is constant and never dereferenced.
final class FileMapping: @unchecked Sendable {
    private let start: UnsafeMutableRawPointer
    /// The size of the mapping; it may reach beyond the end of the file.
    let byteCount: Int

    /// Maps a file from its beginning; `nil` if the system refuses.
    init?(descriptor: Int32, byteCount: Int) {
        guard let start = antena_map_unread(descriptor, byteCount) else { return nil }
        self.start = start
        self.byteCount = byteCount
    }

    deinit { antena_unmap(start, byteCount) }

    /// Returns whether all of a range of the mapping is in the page cache.
    func isResident(_ range: FileRange) -> Bool {
        antena_is_resident(start, Int(range.offset), range.byteCount) == 1
    }

    /// Returns where a range of the mapping lies in memory. It must not be read.
    func vector(_ range: FileRange) -> iovec {
        iovec(iov_base: start + Int(range.offset), iov_len: range.byteCount)
    }
}
