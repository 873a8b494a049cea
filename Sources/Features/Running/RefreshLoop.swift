import Database
import MediaCore

/// Reads again and again what other servers with the same database have changed.
enum RefreshLoop {
    /// Deletes or ends what is over, at once and then again and again, until the task is cancelled. While the time of
    /// day cannot be relied on, nothing is done.
    ///
    /// - Parameters:
    ///   - interval: the time between two.
    ///   - clock: measures the interval.
    ///   - steadiness: whether the time of day can be relied on.
    ///   - sweep: cleans up.
    ///   - onFailure: called with each error.
    static func sweep(
        every interval: Duration, clock: any Clock<Duration> = BeatClock(), while steadiness: ClockSteadiness,
        _ sweep: () async throws -> Void, onFailure: (any Error) -> Void
    ) async {
        await self.sweep(
            every: interval, clock: clock, { if steadiness.isSteady() { try await sweep() } }, onFailure: onFailure)
    }

    /// Cleans up at once and then again and again, until the task is cancelled. For what does not follow from the time.
    ///
    /// - Parameters:
    ///   - interval: the time between two.
    ///   - clock: measures the interval.
    ///   - sweep: cleans up.
    ///   - onFailure: called with each error.
    static func sweep(
        every interval: Duration, clock: any Clock<Duration> = BeatClock(), _ sweep: () async throws -> Void,
        onFailure: (any Error) -> Void
    ) async {
        repeat {
            do {
                try await sweep()
            } catch {
                // What a task that ends does not finish has not failed.
                guard !Task.isCancelled else { return }
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
        every interval: Duration, clock: any Clock<Duration> = BeatClock(), _ refresh: () async throws -> Void,
        onOutage: (any Error) -> Void
    ) async {
        var isAway = false
        while (try? await clock.sleep(for: interval)) != nil {
            await attempt(&isAway, refresh, onOutage: onOutage)
        }
    }

    /// Reads when something in the database has changed, until the watch ends.
    ///
    /// - Parameters:
    ///   - changes: the watch of the database.
    ///   - longest: the time after which is read although nothing has changed, for what is due at a time.
    ///   - refresh: reads what has changed. It is called again soon if it fails.
    ///   - onOutage: as for ``run(every:clock:_:onOutage:)``.
    static func run(
        after changes: DatabaseChanges, atLeastEvery longest: Duration, _ refresh: () async throws -> Void,
        onOutage: (any Error) -> Void
    ) async {
        var isAway = false
        for await _ in changes.follow(atLeastEvery: longest) {
            await attempt(&isAway, refresh, onOutage: onOutage)
            while isAway, (try? await BeatClock().sleep(for: DatabaseChanges.interval)) != nil {
                await attempt(&isAway, refresh, onOutage: onOutage)
            }
        }
    }

    /// - Parameter isAway: whether the last attempt has failed.
    private static func attempt(
        _ isAway: inout Bool, _ refresh: () async throws -> Void, onOutage: (any Error) -> Void
    ) async {
        do {
            try await refresh()
            isAway = false
        } catch {
            guard !Task.isCancelled else { return }
            if !isAway { onOutage(error) }
            isAway = true
        }
    }
}
