import NIOCore

/// Limits the processor time that all threads of a live worker may use for the media it decodes: at most
/// ``Limits/secondsAtOnce`` in any interval, plus ``Limits/secondsPerMediaSecond`` for each second of media.
///
/// A regular worker decodes and encodes on one thread. A compromised worker could answer every unit and use all
/// processors for something else.
struct LiveWorkerProcessorBudget {
    struct Limits: Sendable, Hashable {
        var secondsPerMediaSecond: Double
        var secondsAtOnce: Double

        /// One busy thread just keeps up with its media; units beyond that are dropped.
        static let video = Limits(secondsPerMediaSecond: 1.25, secondsAtOnce: 10)
        /// Audio takes a hundredth of a processor, and on the slowest machines a tenth.
        static let audio = Limits(secondsPerMediaSecond: 0.25, secondsAtOnce: 10)
    }

    private let limits: Limits
    private var left: Double
    private var lastTime: NIODeadline
    /// The processor time used at the last check.
    private var used = TimeAmount.zero
    /// The presentation time of the last decoded unit, in seconds; `nil` before the first.
    private var lastPresentationTime: Double?
    /// The duration of the media decoded since the last check, according to its timestamps, in seconds.
    private var decodedSeconds = 0.0

    init(_ limits: Limits, now: NIODeadline) {
        self.limits = limits
        left = limits.secondsAtOnce
        lastTime = now
    }

    /// Records that the worker has decoded a unit.
    mutating func noteDecoded(_ presentationTime: Double) {
        if let lastPresentationTime { decodedSeconds += max(0, presentationTime - lastPresentationTime) }
        lastPresentationTime = presentationTime
    }

    /// Checks the worker's use of processor time.
    ///
    /// - Parameter total: the processor time used since the worker's start.
    /// - Returns: false if it has used too much.
    mutating func covers(_ total: TimeAmount, now: NIODeadline) -> Bool {
        // The publisher chooses the timestamps, so media counts at most as fast as real time.
        let elapsed = Double(max(0, (now - lastTime).nanoseconds)) / 1e9
        let earned = min(decodedSeconds, elapsed) * limits.secondsPerMediaSecond
        let spent = Double(max(0, (total - used).nanoseconds)) / 1e9
        left = min(limits.secondsAtOnce, left + earned) - spent
        (lastTime, used, decodedSeconds) = (now, total, 0)
        return left >= 0
    }
}
