/// Limits how often something is tried for each key, such as an address. A value without a clock: callers pass the time
/// that has gone by since some start.
package struct AttemptLimiter<Key: Hashable & Sendable>: Sendable {
    package let limits: AttemptLimits
    /// The times of the last attempts of each key, oldest first, at most ``AttemptLimits/maximumCount``.
    private var attempts: [Key: [Duration]] = [:]

    package init(_ limits: AttemptLimits) { self.limits = limits }

    /// Number of keys that are remembered.
    package var keyCount: Int { attempts.count }

    /// The time until the next attempt is allowed; `nil` if it is allowed now. Nothing is counted.
    package func wait(for key: Key, now: Duration) -> Duration? {
        let recent = recentAttempts(key, now)
        guard let first = recent.first, let last = recent.last else { return nil }
        if recent.count >= limits.maximumCount { return first + limits.window - now }
        let excess = recent.count - limits.freeCount
        guard excess >= 0 else { return nil }
        // More than 30 doublings exceed every bound.
        let pause = min(limits.firstPause * (1 << min(excess, 30)), limits.maximumPause)
        let end = last + pause
        return end > now ? end - now : nil
    }

    /// The remaining attempts of a key.
    package func quota(of key: Key, now: Duration) -> RequestQuota {
        let recent = recentAttempts(key, now)
        return RequestQuota(
            count: limits.maximumCount, window: limits.window,
            remainingCount: max(0, limits.maximumCount - recent.count),
            reset: recent.first.map { $0 + limits.window - now } ?? limits.window)
    }

    /// Counts an attempt, if it is allowed.
    ///
    /// - Returns: the time until the next attempt is allowed; `nil` if this one was allowed.
    package mutating func admit(_ key: Key, now: Duration) -> Duration? {
        if let wait = wait(for: key, now: now) { return wait }
        count(key, now: now)
        return nil
    }

    /// Counts an attempt that was allowed.
    package mutating func count(_ key: Key, now: Duration) {
        if attempts[key] == nil, attempts.count >= limits.maximumKeyCount { makeRoom(now) }
        attempts[key] = recentAttempts(key, now).suffix(limits.maximumCount - 1) + [now]
    }

    /// Takes back the last attempt of a key, such as a log-in with the right password.
    package mutating func takeBack(_ key: Key) {
        guard var times = attempts[key] else { return }
        times.removeLast()
        attempts[key] = times.isEmpty ? nil : times
    }

    private func recentAttempts(_ key: Key, _ now: Duration) -> [Duration] {
        attempts[key]?.filter { $0 + limits.window > now } ?? []
    }

    /// Forgets the keys whose window is over, and at least a tenth of all, so that it happens seldom.
    private mutating func makeRoom(_ now: Duration) {
        attempts = attempts.filter { _, times in times.last.map { $0 + limits.window > now } ?? false }
        let excess = attempts.count - limits.maximumKeyCount * 9 / 10
        guard excess > 0 else { return }
        let oldest = attempts.sorted { ($0.value.last ?? .zero) < ($1.value.last ?? .zero) }.prefix(excess)
        for (key, _) in oldest { attempts[key] = nil }
    }
}
