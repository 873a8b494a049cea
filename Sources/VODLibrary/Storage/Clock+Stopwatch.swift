extension Clock where Duration == Swift.Duration {
    /// Starts a measurement.
    ///
    /// - Returns: a function for the seconds since then, to the microsecond.
    func stopwatch() -> () -> Double {
        let start = now
        return { (start.duration(to: now) / .microseconds(1)).rounded() / 1_000_000 }
    }
}
