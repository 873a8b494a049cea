/// Maps a device's times to the capture's timeline. Devices count from different origins: the year 1970, the machine's
/// start, their own.
struct DeviceTimeline {
    /// The largest deviation in microseconds; beyond it the device's clock has been set, or the machine was asleep.
    static let maximumDeviationMicroseconds: Int64 = 1_000_000
    /// The largest age in microseconds of data that was queued while devices were opened; no device's own count comes
    /// this close to the machine's clocks by chance.
    static let maximumAgeMicroseconds: Int64 = 10_000_000

    /// The offset to add to the device's times, in microseconds.
    private var offset: Int64?

    /// Maps a time.
    ///
    /// - Parameters:
    ///   - deviceTime: The device's time in microseconds; `nil` if it has none.
    ///   - arrival: The time of arrival in microseconds from the capture's start.
    ///   - clocks: The machine's clocks at the arrival, in microseconds. A device that uses one of them tells when data
    ///     was captured, however long it was queued; for others, the arrival is the best estimate. This keeps the video
    ///     and audio of two devices in sync.
    /// - Returns: Microseconds from the capture's start; negative for data captured before it.
    mutating func time(of deviceTime: Int64?, arrival: Int64, clocks: [Int64] = []) -> Int64 {
        guard let deviceTime else { return arrival }
        if let offset {
            let time = deviceTime.addingReportingOverflow(offset)
            let deviation = time.partialValue.subtractingReportingOverflow(arrival)
            if !time.overflow, !deviation.overflow,
                deviation.partialValue.magnitude <= UInt64(Self.maximumDeviationMicroseconds)
            {
                return time.partialValue
            }
        }
        let known = clocks.first { clock in
            let age = clock.subtractingReportingOverflow(deviceTime)
            return !age.overflow && age.partialValue.magnitude <= UInt64(Self.maximumAgeMicroseconds)
        }
        let offset = arrival.subtractingReportingOverflow(known ?? deviceTime).partialValue
        self.offset = offset
        return deviceTime &+ offset
    }
}
