import FoundationEssentials
import Glibc
import Synchronization

/// Writes events as complete JSON lines, from any thread.
final class WorkerEventWriter: Sendable {
    /// Minimum interval between progress lines: at most ten a second.
    static let progressInterval = Duration.milliseconds(100)

    private let descriptor: Int32
    private let lastProgress = Mutex<(time: ContinuousClock.Instant?, fraction: Double)>((nil, 0))
    private let output = Mutex<Void>(())

    init(descriptor: Int32) { self.descriptor = descriptor }

    func write(_ event: WorkerEvent) {
        guard var line = try? Array(JSONEncoder().encode(event)) else { return }
        line.append(UInt8(ascii: "\n"))
        output.withLock { _ in
            var written = 0
            while written < line.count {
                let count = line[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                // The reader is gone; the watchdog ends the process.
                guard count > 0 else { return }
                written += count
            }
        }
    }

    /// Writes progress, unless it follows the previous line too soon or goes backwards.
    func writeProgress(_ fraction: Double) {
        let isDue = lastProgress.withLock { last in
            let now = ContinuousClock.now
            guard fraction > last.fraction else { return false }
            if let time = last.time, now - time < Self.progressInterval { return false }
            last = (now, fraction)
            return true
        }
        if isDue { write(.progress(fraction: fraction)) }
    }
}
