/// Puts a device's times onto the capture's line. Devices count from anything: the year 1970, the machine's start,
/// their own.
struct DeviceTimeline {
    /// Further apart the device's clock has been set, or the machine was asleep.
    static let maximumDeviationMicroseconds: Int64 = 1_000_000
    /// What lay in queues while devices were opened and looked at is younger than this; and no device's own count comes
    /// this near to the machine's clocks by chance.
    static let maximumAgeMicroseconds: Int64 = 10_000_000

    /// Added to the device's times.
    private var offset: Int64?

    /// - Parameters:
    ///   - deviceTime: microseconds; `nil` where the device says nothing.
    ///   - arrival: microseconds from the capture's start.
    ///   - clocks: what the machine's clocks say at the arrival, in microseconds. A device that counts as one of them
    ///     says when a piece was taken, however long it lay in a queue; of others, the arrival is the best that is
    ///     known. So picture and sound of two devices are in step.
    /// - Returns: microseconds from the capture's start; negative for what was taken before it.
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
