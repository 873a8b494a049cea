import Glibc
import Synchronization

/// Maps a file for calls that look its pages up without reading them: whether they are in the page cache, and handing
/// them to a socket.
final class PageCacheProbe: Sendable {
    private enum Slot: Sendable {
        case unmapped
        case mapped(FileMapping)
        /// The system does not tell what is in the page cache, or does not map the file.
        case unavailable
    }

    private let slot = Mutex(Slot.unmapped)

    /// The address space that is mapped ahead of a growing file, in bytes.
    private static let granularity = 64 << 20

    /// Checks a range.
    ///
    /// - Returns: Whether all of it is in the page cache; false if unsure.
    func isResident(_ range: FileRange, descriptor: Int32) -> Bool {
        mapping(covering: range, descriptor: descriptor)?.isResident(range) ?? false
    }

    /// Returns a mapping that covers a range; `nil` if the file cannot be mapped.
    func mapping(covering range: FileRange, descriptor: Int32) -> FileMapping? {
        slot.withLock { slot in
            guard range.offset >= 0, range.byteCount >= 0, let end = Int(exactly: range.endOffset) else { return nil }
            switch slot {
            case .unavailable: return nil
            case .mapped(let mapping) where mapping.byteCount >= end: return mapping
            case .mapped, .unmapped:
                slot = Self.map(byteCount: end, descriptor: descriptor)
                guard case .mapped(let mapping) = slot else { return nil }
                return mapping
            }
        }
    }

    private static func map(byteCount: Int, descriptor: Int32) -> Slot {
        var status = stat()
        // The kernel reports everything as resident to processes that neither own the file nor may write to it
        // (mincore(2)).
        guard fstat(descriptor, &status) == 0, geteuid() == 0 || status.st_uid == geteuid() else { return .unavailable }
        let wanted = (max(byteCount, Int(status.st_size)) / granularity + 1) * granularity
        return FileMapping(descriptor: descriptor, byteCount: wanted).map { .mapped($0) } ?? .unavailable
    }
}
