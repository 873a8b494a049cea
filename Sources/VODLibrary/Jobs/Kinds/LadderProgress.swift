import Synchronization

/// The progress of a ladder, reported by several workers at once.
final class LadderProgress: Sendable {
    private let state = Mutex<(done: Double, running: [Int: Double])>((0, [:]))
    private let total: Double
    private let report: @Sendable (Double) -> Void

    /// - Parameters:
    ///   - total: all of the work, in seconds of media.
    ///   - report: called with a fraction from 0 to 1, on any thread.
    init(total: Double, report: @escaping @Sendable (Double) -> Void) {
        self.total = max(total, 0.001)
        self.report = report
    }

    /// Reports the progress of a running piece of work.
    ///
    /// - Parameter seconds: seconds of media that are done.
    func update(_ work: Int, seconds: Double) { change { $0.running[work] = seconds } }

    func finish(_ work: Int, seconds: Double) {
        change { state in
            state.running[work] = nil
            state.done += seconds
        }
    }

    private func change(_ body: (inout (done: Double, running: [Int: Double])) -> Void) {
        // Reported with the lock held, so that reports stay in order.
        state.withLock { state in
            body(&state)
            report(min(1, (state.done + state.running.values.reduce(0, +)) / total))
        }
    }
}
