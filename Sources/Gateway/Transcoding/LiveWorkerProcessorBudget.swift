import NIOCore

/// Bounds the processor time that a live worker may use for the media it decodes, all its threads together: in any time at
/// most ``Limits/secondsAtOnce``, and ``Limits/secondsPerMediaSecond`` for each second of media.
///
/// An honest worker decodes and encodes on one thread. A worker that was taken over could answer every unit, and compute
/// something else beside that on all processors.
struct LiveWorkerProcessorBudget {
    struct Limits: Sendable, Hashable {
        var secondsPerMediaSecond: Double
        var secondsAtOnce: Double

        /// One thread that is always busy just keeps up with its media, and what it cannot keep up with is dropped.
        static let video = Limits(secondsPerMediaSecond: 1.25, secondsAtOnce: 10)
        /// Audio takes a hundredth of a processor, and on the slowest machines a tenth.
        static let audio = Limits(secondsPerMediaSecond: 0.25, secondsAtOnce: 10)
    }

    private let limits: Limits
    private var left: Double
    private var lastTime: NIODeadline
    /// As of the last look.
    private var used = TimeAmount.zero
    /// Presentation time of the last unit that was decoded, in seconds.
    private var lastPresentationTime: Double?
    /// Media decoded since the last look, as its timestamps have it.
    private var decodedSeconds = 0.0

    init(_ limits: Limits, now: NIODeadline) {
        self.limits = limits
        left = limits.secondsAtOnce
        lastTime = now
    }

    /// The worker has dealt with a unit.
    mutating func noteDecoded(_ presentationTime: Double) {
        if let lastPresentationTime { decodedSeconds += max(0, presentationTime - lastPresentationTime) }
        lastPresentationTime = presentationTime
    }

    /// - Parameter total: what the worker has used since it began.
    /// - Returns: false when that is too much.
    mutating func covers(_ total: TimeAmount, now: NIODeadline) -> Bool {
        // The publisher chooses the timestamps: no live track brings more than a second of media a second.
        let elapsed = Double(max(0, (now - lastTime).nanoseconds)) / 1e9
        let earned = min(decodedSeconds, elapsed) * limits.secondsPerMediaSecond
        let spent = Double(max(0, (total - used).nanoseconds)) / 1e9
        left = min(limits.secondsAtOnce, left + earned) - spent
        (lastTime, used, decodedSeconds) = (now, total, 0)
        return left >= 0
    }
}
