import MediaCore

/// Ends pushes that exceed their preset for too long, if the channel is configured to enforce it (`enforcePreset`).
struct PresetEnforcement: Sendable {
    /// Share by which a quantity may exceed its promise.
    static let maximumExcess = 0.2
    /// The time for which a quantity may exceed its promise.
    static let maximumDuration = Duration.seconds(10)
    /// If two measurements are further apart, they say nothing about the time between them.
    static let maximumGap = Duration.seconds(3)

    private var exceededSince: [PresetComparison.QuantityName: WallClockTime] = [:]
    private var lastCheck: WallClockTime?

    /// Checks a new measurement.
    ///
    /// - Parameter now: the current time; call it about once a second.
    /// - Returns: a human-readable reason if the push has to end; `nil` otherwise.
    mutating func check(_ comparison: PresetComparison, preset: String, now: WallClockTime) -> String? {
        if let lastCheck, !(.zero...Self.maximumGap).contains(now - lastCheck) { exceededSince = [:] }
        lastCheck = now
        for (name, ratio) in comparison.ratios {
            guard ratio > 1 + Self.maximumExcess else {
                exceededSince[name] = nil
                continue
            }
            let since = exceededSince[name] ?? now
            exceededSince[name] = since
            guard now - since < Self.maximumDuration else {
                return "the push exceeds preset \"\(preset)\": \(comparison.description(of: name))"
            }
        }
        return nil
    }
}
