/// Bounds for a worker's output. The worker has read untrusted input, and may be under an attacker's control.
///
/// Sizes and counts beyond these bounds are left out, so that no sum made of them can overflow.
enum WorkerAnswerLimits {
    static let maximumReasonCharacterCount = 2_000
    static let maximumWordCharacterCount = 100
    static let maximumStreamCount = 256
    static let maximumLeftOutCount = 64
    /// Durations in seconds: up to thirty years.
    static let durations: ClosedRange<Double> = 0...1e9
    static let sides = 1...65_536
    static let frameRates: ClosedRange<Double> = 0.001...10_000
    static let sampleRates = 1...10_000_000
    static let channelCounts = 1...256
    /// Times in ticks, with the limits of ``LadderPlan``.
    static let times: ClosedRange<Int64> = -(1 << 60)...(1 << 60)
    /// Rate of events that is allowed for long. A worker sends at most ten lines of progress a second.
    static let eventsPerSecond = 50.0
    static let eventsAtOnce = 500.0
}
