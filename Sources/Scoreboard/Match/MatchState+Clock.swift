package import MediaCore

/// The clock of a sport with periods.
extension MatchState {
    /// The time that has been played of the period, in milliseconds.
    package func playedMilliseconds(at time: WallClockTime) -> Int64 {
        guard let clock else { return 0 }
        let running = clock.runningSince.map { max(0, time.milliseconds(since: $0)) } ?? 0
        return min(
            clock.playedMilliseconds.addingSaturating(running),
            Int64(MatchRules.Limits.periodSeconds.upperBound) * 1_000)
    }

    /// The length of the period, in seconds.
    package var periodSeconds: Int? {
        guard case .periods(let periods) = rules.play else { return nil }
        return game < periods.count ? periods.seconds : periods.overtimeSeconds ?? periods.seconds
    }

    mutating func stopClock(at time: WallClockTime) {
        guard clock?.runningSince != nil else { return }
        clock = PeriodClock(playedMilliseconds: playedMilliseconds(at: time), runningSince: nil)
    }

    mutating func runClock(_ runs: Bool, at time: WallClockTime) throws(MatchConflict) {
        guard clock != nil else { throw MatchConflict(.hasNoClock) }
        try requirePlaying()
        if !runs { return stopClock(at: time) }
        guard clock?.runningSince == nil else { return }
        clock?.runningSince = time
    }

    mutating func setClock(_ seconds: Int, at time: WallClockTime) throws(MatchConflict) {
        guard case .periods(let periods) = rules.play, let length = periodSeconds else {
            throw MatchConflict(.hasNoClock)
        }
        try requireStarted()
        guard MatchRules.Limits.periodSeconds.contains(seconds) || seconds == 0 else {
            throw MatchConflict(.implausibleScore)
        }
        let played = periods.countsDown ? length - seconds : seconds
        guard played >= 0 else { throw MatchConflict(.implausibleScore) }
        clock = PeriodClock(
            playedMilliseconds: Int64(played) * 1_000, runningSince: clock?.runningSince == nil ? nil : time)
    }

    mutating func endPeriod(at time: WallClockTime) throws(MatchConflict) {
        guard case .periods(let periods) = rules.play else { throw MatchConflict(.hasNoClock) }
        try requirePlaying()
        stopClock(at: time)
        let before = finished.reduce(into: SidePair(both: 0)) { sum, period in
            sum.a += period.a
            sum.b += period.b
        }
        finished.append(SidePair(points.a - before.a, points.b - before.b))
        let isLast = game + 1 >= periods.count
        let added = game + 1 - periods.count
        let mayGoOn = periods.overtimeSeconds != nil && added < periods.overtimeCount ?? .max
        guard isLast else { return phase = .gameOver }
        if let leader = points.leader { return finish(leader, at: time) }
        if mayGoOn, finished.count < MatchRules.Limits.listCount * 2 { return phase = .gameOver }
        finish(nil, at: time)
    }
}
