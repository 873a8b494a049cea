import CAntenaSystem
import Glibc
import Synchronization

/// Checks whether a part of a file could be sent without waiting for the disk.
final class PageCacheProbe: Sendable {
    /// `@unchecked Sendable` because of the pointer, which is used under the lock and never dereferenced.
    private struct Slot: @unchecked Sendable {
        var start: UnsafeMutableRawPointer?
        var byteCount = 0
        var isUnavailable = false
    }

    private let slot = Mutex(Slot())

    /// The address space that is mapped ahead of a growing file, in bytes.
    private static let granularity = 64 << 20

    deinit {
        slot.withLock { slot in
            if let start = slot.start { antena_unmap(start, slot.byteCount) }
        }
    }

    /// Checks a range.
    ///
    /// - Returns: Whether all of it is in the page cache; false if unsure.
    func isResident(_ range: FileRange, descriptor: Int32) -> Bool {
        slot.withLock { slot in
            guard !slot.isUnavailable, range.offset >= 0, let end = Int(exactly: range.endOffset) else { return false }
            if end > slot.byteCount { Self.map(&slot, byteCount: end, descriptor: descriptor) }
            guard let start = slot.start else { return false }
            return antena_is_resident(start, Int(range.offset), range.byteCount) == 1
        }
    }

    private static func map(_ slot: inout Slot, byteCount: Int, descriptor: Int32) {
        if let start = slot.start { antena_unmap(start, slot.byteCount) }
        slot = Slot()
        var status = stat()
        // The kernel reports everything as resident to processes that neither own the file nor may write to it
        // (mincore(2)).
        guard fstat(descriptor, &status) == 0, geteuid() == 0 || status.st_uid == geteuid() else {
            slot.isUnavailable = true
            return
        }
        let wanted = (max(byteCount, Int(status.st_size)) / granularity + 1) * granularity
        guard let start = antena_map_untouched(descriptor, wanted) else {
            slot.isUnavailable = true
            return
        }
        slot.start = start
        slot.byteCount = wanted
    }
}
