/// Puts a device's times onto the capture's line. Devices count from anything: the year 1970, the machine's start,
/// their own.
struct DeviceTimeline {
    /// Further apart the device's clock has been set, or the machine was asleep.
    static let maximumDeviationMicroseconds: Int64 = 1_000_000

    /// Added to the device's times.
    private var offset: Int64?

    /// - Parameters:
    ///   - deviceTime: microseconds; `nil` where the device says nothing.
    ///   - arrival: microseconds from the capture's start.
    mutating func time(of deviceTime: Int64?, arrival: Int64) -> Int64 {
        guard let deviceTime else { return arrival }
        if let offset {
            let time = deviceTime.addingReportingOverflow(offset)
            let deviation = time.partialValue.subtractingReportingOverflow(arrival)
            if !time.overflow, !deviation.overflow,
                deviation.partialValue.magnitude <= UInt64(Self.maximumDeviationMicroseconds)
            {
                return max(0, time.partialValue)
            }
        }
        offset = arrival.subtractingReportingOverflow(deviceTime).partialValue
        return arrival
    }
}
