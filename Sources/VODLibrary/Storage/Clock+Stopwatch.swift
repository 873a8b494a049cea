extension Clock where Duration == Swift.Duration {
    /// Starts a measurement.
    ///
    /// - Returns: a function for the time since then, which is independent of the wall clock.
    func elapsed() -> @Sendable () -> Duration {
        let start = now
        return { start.duration(to: self.now) }
    }

    /// Starts a measurement.
    ///
    /// - Returns: a function for the seconds since then, to the microsecond.
    func stopwatch() -> () -> Double {
        let start = now
        return { (start.duration(to: now) / .microseconds(1)).rounded() / 1_000_000 }
    }
}
