/// Reads again and again what other servers with the same database have changed.
enum RefreshLoop {
    /// Cleans up at once and then again and again, until the task is cancelled.
    ///
    /// - Parameters:
    ///   - interval: the time between two.
    ///   - clock: measures the interval.
    ///   - sweep: cleans up.
    ///   - onFailure: called with each error.
    static func sweep(
        every interval: Duration, clock: any Clock<Duration> = ContinuousClock(), _ sweep: () async throws -> Void,
        onFailure: (any Error) -> Void
    ) async {
        repeat {
            do {
                try await sweep()
            } catch {
                onFailure(error)
            }
        } while (try? await clock.sleep(for: interval)) != nil
    }

    /// Runs until the task is cancelled.
    ///
    /// - Parameters:
    ///   - interval: the time between two reads.
    ///   - clock: measures the interval.
    ///   - refresh: reads what has changed.
    ///   - onOutage: called with the error of the first of several reads that fail one after the other.
    static func run(
        every interval: Duration, clock: any Clock<Duration> = ContinuousClock(), _ refresh: () async throws -> Void,
        onOutage: (any Error) -> Void
    ) async {
        var isAway = false
        while (try? await clock.sleep(for: interval)) != nil {
            do {
                try await refresh()
                isAway = false
            } catch {
                if !isAway { onOutage(error) }
                isAway = true
            }
        }
    }
}
