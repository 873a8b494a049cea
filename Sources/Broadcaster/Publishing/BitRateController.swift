/// Finds the share of the preset's bit rate that the uplink carries. Pure: it is told once a second how things stand.
///
/// Down at once, in steps, when media waits for the line or packets get lost; up again, a step at a time, when nothing
/// has waited for a while, and later each time that a step up has proved too much.
package struct BitRateController: Sendable {
    /// Of the preset's rate.
    static let steps = [1, 0.75, 0.55, 0.4, 0.3, 0.2]
    /// Seconds of media that wait: more is a line that cannot keep up, not a burst.
    static let maximumWait = 0.7
    /// Less is a line that has room.
    static let idleWait = 0.15
    /// Of packets, in a receiver's report.
    static let maximumLoss = 0.05
    /// After a step, what was queued before it has to go first.
    static let secondsBetweenStepsDown = 2
    static let firstSecondsBeforeStepUp = 10
    static let maximumSecondsBeforeStepUp = 120
    /// A step down so soon after one up was its fault.
    static let probationSeconds = 20

    package private(set) var level = 0
    private var secondsSinceStep = 0
    private var idleSeconds = 0
    private var secondsBeforeStepUp = firstSecondsBeforeStepUp
    private var isOnProbation = false
    private var lastWait = 0.0
    /// The level at which nothing waited last.
    private var carriedLevel = 0

    package init() {}

    package var share: Double { Self.steps[level] }

    /// - Parameters:
    ///   - wait: seconds of media that are not on the line yet.
    ///   - loss: of packets, where a receiver has reported since the last call.
    ///   - hasDropped: media had to be dropped since the last call.
    /// - Returns: whether the share has changed.
    package mutating func secondPassed(wait: Double, loss: Double?, hasDropped: Bool) -> Bool {
        secondsSinceStep += 1
        // What waited before a step goes first: a queue that shrinks is a step that was enough.
        let isDraining = wait < lastWait && !hasDropped && level > 0
        lastWait = wait
        if isOnProbation, secondsSinceStep > Self.probationSeconds {
            isOnProbation = false
            secondsBeforeStepUp = max(Self.firstSecondsBeforeStepUp, secondsBeforeStepUp / 2)
        }
        if hasDropped || wait > Self.maximumWait || (loss ?? 0) > Self.maximumLoss {
            idleSeconds = 0
            if isDraining, (loss ?? 0) <= Self.maximumLoss { return false }
            guard secondsSinceStep >= Self.secondsBetweenStepsDown || level == 0, level + 1 < Self.steps.count else {
                return false
            }
            if isOnProbation { secondsBeforeStepUp = min(secondsBeforeStepUp * 2, Self.maximumSecondsBeforeStepUp) }
            isOnProbation = false
            return step(to: level + 1)
        }
        idleSeconds = wait < Self.idleWait ? idleSeconds + 1 : 0
        if idleSeconds > 0 { carriedLevel = level }
        guard level > 0, idleSeconds >= secondsBeforeStepUp else { return false }
        isOnProbation = true
        return step(to: level - 1)
    }

    /// After a new connection: what a line that had broken down did not carry says nothing of the one that is there now.
    ///
    /// - Returns: whether the share has changed.
    package mutating func reconnected() -> Bool {
        lastWait = 0
        isOnProbation = false
        return level == carriedLevel ? false : step(to: carriedLevel)
    }

    private mutating func step(to level: Int) -> Bool {
        self.level = level
        secondsSinceStep = 0
        idleSeconds = 0
        return true
    }
}
