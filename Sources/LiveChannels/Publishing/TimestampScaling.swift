import MediaCore

/// Makes timestamps that do not advance with time advance with it. Times stay continuous: what they were ahead or
/// behind is made up for little by little.
struct TimestampScaling: Sendable {
    /// The factor on distances between timestamps.
    let factor: Double
    /// The decode times of the newest unit, before and after.
    private var given: Int64
    private var made: Double
    /// Ticks by which the times are still ahead of time, negative if they are behind.
    private var lead: Double

    /// Share by which times advance faster or slower until they agree with time.
    static let correction = 0.25

    /// Begins to scale.
    ///
    /// - Parameters:
    ///   - rate: seconds of timestamps in a second.
    ///   - lead: ticks by which the times that players have are ahead of time.
    ///   - unit: the newest unit.
    ///   - decodeTime: its decode time as players have it.
    init(rate: Double, lead: Double, after unit: AccessUnit, decodeTime: Int64) {
        factor = 1 / rate
        given = unit.decodeTime
        made = Double(decodeTime)
        self.lead = lead
    }

    /// The unit with times that advance with time. Call it once for each unit.
    mutating func scale(_ unit: AccessUnit) -> AccessUnit {
        var distance = Double(unit.decodeTime.subtractingSaturating(given)) * factor
        if distance > 0 {
            let change = min(distance * Self.correction, abs(lead)) * (lead < 0 ? 1 : -1)
            distance += change
            lead += change
        }
        given = unit.decodeTime
        made = min(max(made + distance, made + 1), Self.maximumTicks)
        let decodeTime = Int64(made)
        let delay = Double(unit.presentationTime.subtractingSaturating(unit.decodeTime)) * factor
        var scaled = unit
        scaled.decodeTime = decodeTime
        scaled.presentationTime = decodeTime.addingSaturating(Int64(min(max(0, delay), Self.maximumTicks)))
        return scaled
    }

    /// Limit on times, which a double holds exactly: three thousand years at 90 kHz.
    private static let maximumTicks = Double(1 << 53)
}
