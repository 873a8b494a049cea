/// Finds the share of the preset's bit rate that the uplink carries. Pure: it is called once per second with
/// measurements.
///
/// The rate goes down at once, in steps, when media waits for the uplink or packets are lost. It goes up one step at a
/// time when nothing has waited for a while, and later each time that a step up has proved too much.
package struct BitRateController: Sendable {
    /// The shares of the preset's bit rate.
    static let steps = [1, 0.75, 0.55, 0.4, 0.3, 0.2]
    /// The largest acceptable backlog in seconds of media; more means that the uplink cannot keep up, not that there
    /// was a burst.
    static let maximumWait = 0.7
    /// The backlog in seconds of media below which the uplink has capacity to spare.
    static let idleWait = 0.15
    /// The largest acceptable share of lost packets, from a receiver's report.
    static let maximumLoss = 0.05
    /// Seconds between two steps down: after a step, the earlier backlog must be sent first.
    static let secondsBetweenStepsDown = 2
    static let firstSecondsBeforeStepUp = 10
    static let maximumSecondsBeforeStepUp = 120
    /// Seconds after a step up in which a step down counts as its consequence.
    static let probationSeconds = 20

    /// The index in `steps`; 0 is the preset's full rate.
    package private(set) var level = 0
    private var secondsSinceStep = 0
    private var idleSeconds = 0
    private var secondsBeforeStepUp = firstSecondsBeforeStepUp
    private var isOnProbation = false
    private var lastWait = 0.0
    /// The last level without a backlog.
    private var carriedLevel = 0

    /// Creates a controller at the preset's full rate.
    package init() {}

    /// The share of the preset's bit rate to encode with.
    package var share: Double { Self.steps[level] }

    /// Adapts the share to one second's measurements.
    ///
    /// - Parameters:
    ///   - wait: The backlog in seconds of media.
    ///   - loss: The share of lost packets, if a receiver has reported since the last call.
    ///   - hasDropped: Whether media was dropped since the last call.
    /// - Returns: Whether the share has changed.
    package mutating func secondPassed(wait: Double, loss: Double?, hasDropped: Bool) -> Bool {
        secondsSinceStep += 1
        // The earlier backlog is sent first: a shrinking queue means that the step was enough.
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

    /// Returns to the last level that worked, after a new connection: what a broken connection did not carry says
    /// nothing about the new one.
    ///
    /// - Returns: Whether the share has changed.
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
