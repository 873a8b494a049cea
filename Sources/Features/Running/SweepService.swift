import MediaCore
import ServiceLifecycle

/// Cleans up at once and then again and again, while the time of day can be relied on.
struct SweepService: Service {
    private let interval: Duration
    private let steadiness: ClockSteadiness?
    private let sweep: @Sendable () async throws -> Void
    private let onFailure: @Sendable (any Error) -> Void

    /// - Parameters:
    ///   - interval: the time between two.
    ///   - steadiness: whether the time of day can be relied on; `nil` for what does not follow from it.
    ///   - sweep: cleans up.
    ///   - onFailure: called with each error.
    init(
        every interval: Duration, while steadiness: ClockSteadiness?,
        _ sweep: @escaping @Sendable () async throws -> Void,
        onFailure: @escaping @Sendable (any Error) -> Void
    ) {
        (self.interval, self.steadiness) = (interval, steadiness)
        (self.sweep, self.onFailure) = (sweep, onFailure)
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            guard let steadiness else {
                await RefreshLoop.sweep(every: interval, sweep, onFailure: onFailure)
                return
            }
            await RefreshLoop.sweep(every: interval, while: steadiness, sweep, onFailure: onFailure)
        }
    }
}
