import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Checks whether a folder's disk responds, on a thread of its own: one probe at a time, and no caller waits for it
/// longer than the deadline.
final class DiskProbe: Sendable {
    /// Checks the disk; blocks. The result is `nil` if the disk has responded, otherwise the reason.
    typealias Check = @Sendable () -> String?

    /// Time after which the disk counts as unresponsive.
    static let deadline = Duration.seconds(2)
    /// Time for which a result is reused instead of probing again.
    static let validity = Duration.seconds(2)

    private struct State {
        var beganAt: ContinuousClock.Instant?
        var endedAt: ContinuousClock.Instant?
        /// The result of the last finished probe; `nil` if the disk responded.
        var reason: String?
        var waiting: [UUID: CheckedContinuation<Void, Never>] = [:]
    }

    private let what: String
    private let deadline: Duration
    private let validity: Duration
    private let check: Check
    private let state = Mutex(State())

    /// - Parameter what: the name of the folder for operators, such as "the media folder".
    init(
        of what: String, deadline: Duration = DiskProbe.deadline, validity: Duration = DiskProbe.validity,
        check: @escaping Check
    ) {
        self.what = what
        self.deadline = deadline
        self.validity = validity
        self.check = check
    }

    /// Probes the disk, or returns the last result while it is valid.
    ///
    /// - Returns: why the folder cannot be used at the moment; `nil` if its disk has responded.
    func obstacle() async -> String? {
        guard beginUnlessRunning() else { return state.withLock { $0.reason } }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.untilEnd() }
            group.addTask { [remaining = remainingTime] in try? await Task.sleep(for: remaining) }
            await group.next()
            group.cancelAll()
        }
        return state.withLock { state in
            guard let beganAt = state.beganAt else { return state.reason }
            let seconds = (ContinuousClock.now - beganAt).components.seconds
            return "\(what) has not answered for \(seconds) seconds; check its disk or network"
        }
    }

    /// - Returns: false if the last result is still valid.
    private func beginUnlessRunning() -> Bool {
        let (isNeeded, begins) = state.withLock { state -> (Bool, Bool) in
            if state.beganAt != nil { return (true, false) }
            if let endedAt = state.endedAt, ContinuousClock.now - endedAt < validity { return (false, false) }
            state.beganAt = .now
            return (true, true)
        }
        if begins {
            let thread = Thread { [self] in
                let reason = check()
                state.withLock { state in
                    state.beganAt = nil
                    state.endedAt = .now
                    state.reason = reason.map { "\(what): \($0)" }
                }
                letGo()
            }
            thread.name = "antena.probe"
            thread.start()
        }
        return isNeeded
    }

    /// The time left until the running probe reaches the deadline; zero if it has passed.
    private var remainingTime: Duration {
        state.withLock { state in
            state.beganAt.map { max(.zero, deadline - (ContinuousClock.now - $0)) } ?? .zero
        }
    }

    /// Waits for the end of the running probe, or until the task is cancelled.
    private func untilEnd() async {
        let id = UUID()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    // Further callers get the last result at once, so that a stalled disk does not use up memory.
                    guard state.beganAt != nil, state.waiting.count < Self.maximumWaitingCount, !Task.isCancelled
                    else { return false }
                    state.waiting[id] = continuation
                    return true
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: id) }?.resume()
        }
    }

    private static let maximumWaitingCount = 1_000

    private func letGo() {
        let waiting = state.withLock { state in
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for continuation in waiting { continuation.resume() }
    }
}

extension DiskProbe {
    /// A probe that writes a new file into the data folder and waits until it is on disk. Bytes of an existing file
    /// would find room on a full disk.
    static func dataFolder(_ path: String) -> DiskProbe {
        DiskProbe(of: "the data folder") { failure(of: write(to: "\(path)/.probe")) }
    }

    /// A probe that lists the media folder and reads the start of a file, bypassing the page cache, which would
    /// otherwise respond for the disk.
    static func mediaFolder(_ path: String, sections: [String]) -> DiskProbe {
        DiskProbe(of: "the media folder") { failure(of: read(below: [path] + sections.map { "\(path)/\($0)" })) }
    }

    /// The system's message for an error of the disk; `nil` for other errors, such as a missing folder.
    private static func failure(of number: Int32) -> String? {
        [EIO, EROFS, ESTALE, ENODEV, ENXIO, ETIMEDOUT, EUCLEAN, ENOSPC, EDQUOT].contains(number)
            ? String(cString: strerror(number)) : nil
    }

    /// The least size of a write to the database: some pages of its log.
    private static let writtenByteCount = 64 << 10

    private static func write(to path: String) -> Int32 {
        unlink(path)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return errno }
        defer {
            close(descriptor)
            unlink(path)
        }
        let bytes = [UInt8](repeating: 0, count: writtenByteCount)
        let count = pwrite(descriptor, bytes, bytes.count, 0)
        // A short write is one that found room for a part only.
        guard count == bytes.count else { return count < 0 ? errno : ENOSPC }
        return fsync(descriptor) == 0 ? 0 : errno
    }

    private static func read(below folders: [String]) -> Int32 {
        for folder in folders {
            guard let directory = opendir(folder) else {
                if errno == ENOENT { continue }
                return errno
            }
            defer { closedir(directory) }
            for _ in 0..<maximumEntryCount {
                guard let entry = readdir(directory) else { break }
                let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                }
                guard !name.hasPrefix(".") else { continue }
                let result = readBeginning(of: "\(folder)/\(name)")
                if result != EISDIR { return result }
            }
        }
        return 0
    }

    private static let maximumEntryCount = 64
    /// Number of bytes to read: one memory page.
    private static let pieceByteCount = 4_096

    /// - Returns: 0, or an `errno`; `EISDIR` for anything that is not a regular file.
    private static func readBeginning(of path: String) -> Int32 {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        posix_fadvise(descriptor, 0, off_t(pieceByteCount), POSIX_FADV_DONTNEED)
        var piece = [UInt8](repeating: 0, count: pieceByteCount)
        if pread(descriptor, &piece, piece.count, 0) >= 0 { return 0 }
        return errno == ESPIPE ? EISDIR : errno
    }
}
