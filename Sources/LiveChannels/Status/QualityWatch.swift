import MediaCore

/// Decides when the media that arrives at a channel has become bad, or good again.
///
/// It judges windows of a few seconds. Only several of one kind in a row change its mind, a problem has to become
/// clearly smaller than it was to be over, and changes have a minimum distance, so that nobody is told every few
/// seconds.
struct QualityWatch: Sendable {
    /// The media that has arrived since the previous sample.
    struct Sample: Sendable {
        var receivedPacketCount = 0
        var lostPacketCount = 0
        /// Mean deviation of arrivals from the frames' own times, of the worst track.
        var jitter = Duration.zero
        /// The values that are below the preset.
        var shortfalls: Set<QualityProblem> = []
    }

    /// A change that observers are told of.
    struct Change: Sendable, Hashable {
        /// The problems, in the order of the cases; empty if all is good again.
        var problems: [QualityProblem]
        /// Share of the packets of the last window that were lost.
        var loss: Double
    }

    /// The time after which what has arrived is judged.
    static let windowDuration = Duration.seconds(5)
    /// Windows in a row that are bad before the media is. A short burst can lie in two.
    static let badWindowCount = 3
    /// Windows in a row that are good before the media is.
    static let goodWindowCount = 3
    /// The shortest time between two changes of a channel.
    static let minimumChangeInterval = Duration.seconds(60)
    /// Share of lost packets that is a problem, and below which it is over.
    static let lossLimits = (bad: 0.01, good: 0.002)
    /// Jitter that is a problem, and below which it is over. Segments of some seconds hide less from players.
    static let jitterLimits = (bad: Duration.milliseconds(300), good: Duration.milliseconds(150))

    private var windowStart: WallClockTime?
    private var window = Sample()
    private var badCount = 0
    private var goodCount = 0
    private var isBad = false
    private var changedAt: WallClockTime?

    /// A new push begins, of which nothing is known. The distance between changes goes on.
    mutating func begin() {
        (windowStart, window) = (nil, Sample())
        (badCount, goodCount, isBad) = (0, 0, false)
    }

    /// Takes a sample; call it about once a second.
    ///
    /// - Returns: what observers must be told; `nil` if there is nothing new.
    mutating func note(_ sample: Sample, now: WallClockTime) -> Change? {
        guard let start = windowStart, now >= start, now - start < Self.windowDuration * 2 else {
            // What arrived in a time without samples says nothing about now.
            (windowStart, window) = (now, Sample())
            return nil
        }
        window.receivedPacketCount += sample.receivedPacketCount
        window.lostPacketCount += sample.lostPacketCount
        window.jitter = sample.jitter
        window.shortfalls = sample.shortfalls
        guard now - start >= Self.windowDuration else { return nil }
        defer { (windowStart, window) = (now, Sample()) }
        return judge(now: now)
    }

    private mutating func judge(now: WallClockTime) -> Change? {
        let expected = window.receivedPacketCount + window.lostPacketCount
        let loss = expected > 0 ? Double(window.lostPacketCount) / Double(expected) : 0
        var problems = window.shortfalls
        if loss >= (isBad ? Self.lossLimits.good : Self.lossLimits.bad) { problems.insert(.loss) }
        if window.jitter >= (isBad ? Self.jitterLimits.good : Self.jitterLimits.bad) { problems.insert(.jitter) }
        (badCount, goodCount) = problems.isEmpty ? (0, goodCount + 1) : (badCount + 1, 0)
        guard isBad ? goodCount >= Self.goodWindowCount : badCount >= Self.badWindowCount else { return nil }
        if let changedAt, now >= changedAt, now - changedAt < Self.minimumChangeInterval { return nil }
        isBad.toggle()
        changedAt = now
        return Change(problems: QualityProblem.allCases.filter(problems.contains), loss: loss)
    }
}
