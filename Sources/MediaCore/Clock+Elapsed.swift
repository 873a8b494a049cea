extension Clock where Duration == Swift.Duration {
    /// Starts a measurement.
    ///
    /// - Returns: A function for the time since then, which is independent of the wall clock.
    package func elapsed() -> @Sendable () -> Duration {
        let start = now
        return { start.duration(to: self.now) }
    }
}
