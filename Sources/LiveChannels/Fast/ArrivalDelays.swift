import MediaCore
import NIOCore

/// The delay with which the last parts of a track arrived: from the time of an arrival's last unit, on the publisher's
/// timeline, to the arrival on the event loop's clock. Only differences of delays mean anything.
struct ArrivalDelays: Sendable {
    /// Time before the expected end of a part from which packets are handled as they arrive, if they arrive evenly. The
    /// jitter is added to it.
    static let margin = Duration.milliseconds(6)
    static let maximumMargin = Duration.milliseconds(60)
    /// Delays that are remembered, those of a few segments.
    static let maximumCount = 12
    /// Fewer delays say nothing about the jitter.
    static let minimumCount = 4
    /// A delay that changes by more means that the publisher's clock was set, so that the former ones say nothing.
    static let maximumChange = Duration.seconds(1)
    /// A shorter time after the end of a rest means that a part arrived during it.
    static let resolution = TimeAmount.milliseconds(1)

    /// The delays in nanoseconds, newest last.
    private var delays: [Int64] = []
    private var shortest: Int64 = 0
    /// Nanoseconds from the shortest to the median.
    private var jitter: Int64 = 0

    /// Notes the delay of an arrival that was handled at once.
    ///
    /// - Parameters:
    ///   - now: when it was.
    ///   - unitTime: the time of its last unit, in nanoseconds.
    mutating func note(arrivedAt now: NIODeadline, unitTime: Int64) {
        let delay = Int64(clamping: now.uptimeNanoseconds).subtractingSaturating(unitTime)
        if delay.subtractingSaturating(shortest).magnitude > UInt64(Self.maximumChange.wholeNanoseconds) {
            delays.removeAll()
        }
        if delays.count == Self.maximumCount { delays.removeFirst() }
        delays.append(delay)
        let sorted = delays.sorted()
        shortest = sorted[0]
        jitter = sorted[sorted.count / 2].subtractingSaturating(shortest)
    }

    /// True if there are enough of them to foretell an arrival.
    var areEnough: Bool { delays.count >= Self.minimumCount }

    /// The time before which an arrival does not come, presumably. Means nothing unless ``areEnough``.
    ///
    /// - Parameter unitTime: the time of its last unit, in nanoseconds.
    func earliestArrival(of unitTime: Int64) -> NIODeadline {
        let margin = min(
            Self.margin.wholeNanoseconds.addingSaturating(jitter), Self.maximumMargin.wholeNanoseconds)
        let arrival = unitTime.addingSaturating(shortest).subtractingSaturating(margin)
        return .uptimeNanoseconds(UInt64(clamping: arrival))
    }
}
