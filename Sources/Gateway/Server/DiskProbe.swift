import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Finds out whether a folder's disk answers, on a thread of its own: one probe at a time, and nobody waits longer for
/// it than the deadline.
final class DiskProbe: Sendable {
    /// Blocks: `nil` when the disk has answered, otherwise the reason.
    typealias Check = @Sendable () -> String?

    /// After it, the disk counts as one that does not answer.
    static let deadline = Duration.seconds(2)
    /// An answer holds for as long: who asks more often asks no disk.
    static let validity = Duration.seconds(2)

    private struct State {
        var beganAt: ContinuousClock.Instant?
        var endedAt: ContinuousClock.Instant?
        /// Of the last probe that has ended.
        var reason: String?
        var waiting: [UUID: CheckedContinuation<Void, Never>] = [:]
    }

    private let what: String
    private let deadline: Duration
    private let validity: Duration
    private let check: Check
    private let state = Mutex(State())

    /// - Parameter what: the folder as operators know it, such as "the media folder".
    init(
        of what: String, deadline: Duration = DiskProbe.deadline, validity: Duration = DiskProbe.validity,
        check: @escaping Check
    ) {
        self.what = what
        self.deadline = deadline
        self.validity = validity
        self.check = check
    }

    /// - Returns: why the folder is of no use at the moment; `nil` when its disk has answered.
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

    /// - Returns: false when the last answer still holds.
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

    /// Of a probe that has been going on for longer, none is waited for.
    private var remainingTime: Duration {
        state.withLock { state in
            state.beganAt.map { max(.zero, deadline - (ContinuousClock.now - $0)) } ?? .zero
        }
    }

    /// Ends with the probe, or at once when the task is cancelled.
    private func untilEnd() async {
        let id = UUID()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    // More who ask learn at once what is known: a disk that stands still is to cost no memory.
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
    /// Writes a few bytes into the data folder and waits until they are on the disk.
    static func dataFolder(_ path: String) -> DiskProbe {
        DiskProbe(of: "the data folder") { failure(of: write(to: "\(path)/.probe")) }
    }

    /// Looks into the media folder and reads the beginning of a file past the page cache, which would answer for the
    /// disk otherwise.
    static func mediaFolder(_ path: String, sections: [String]) -> DiskProbe {
        DiskProbe(of: "the media folder") { failure(of: read(below: [path] + sections.map { "\(path)/\($0)" })) }
    }

    /// What says that the disk is not to be used, not that a folder is missing or full.
    private static func failure(of number: Int32) -> String? {
        [EIO, EROFS, ESTALE, ENODEV, ENXIO, ETIMEDOUT, EUCLEAN].contains(number)
            ? String(cString: strerror(number)) : nil
    }

    private static func write(to path: String) -> Int32 {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        let text = Array("ready\n".utf8)
        guard pwrite(descriptor, text, text.count, 0) == text.count, fsync(descriptor) == 0 else { return errno }
        return 0
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
    /// One page.
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
