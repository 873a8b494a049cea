/// Limits the rate of a worker's lines: a worker that never stops writing would keep a core of the server busy.
struct WorkerEventBudget {
    private var left = WorkerAnswerLimits.eventsAtOnce
    private var last: ContinuousClock.Instant

    init(now: ContinuousClock.Instant) { last = now }

    /// Counts a line. Returns false if the worker has exceeded its budget.
    mutating func take(now: ContinuousClock.Instant) -> Bool {
        let seconds = max(0, (now - last) / .seconds(1))
        left = min(WorkerAnswerLimits.eventsAtOnce, left + seconds * WorkerAnswerLimits.eventsPerSecond) - 1
        last = now
        return left >= 0
    }
}
