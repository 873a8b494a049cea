import CLibAV
import LibAV

/// Reads a camera, a screen or a microphone as fast as it delivers. Belongs to one thread.
struct DevicePump {
    /// The reason why reading ended.
    enum End {
        /// The capture was stopped, or the source reached its end.
        case stopped
        /// The device delivered data and then failed.
        case lost(LibAVError)
    }

    let source: any PacketSource
    let info: StreamInfo
    let route: any BroadcastRoute
    let clock: BroadcastClock
    let control: BroadcastControl

    /// Reads until the device or the capture ends.
    ///
    /// - Parameter origin: The start of the capture on the clock.
    /// - Throws: ``LibAVError`` if the device has never delivered anything, or its data cannot be encoded.
    func run(origin: Int64) throws(LibAVError) -> End {
        let packet = try Packet()
        var timeline = DeviceTimeline()
        var hasGiven = false
        guard let stream = source.context.pointee.streams[info.index] else { return .stopped }
        while true {
            do throws(LibAVError) {
                guard try source.read(into: packet) else { break }
            } catch {
                guard hasGiven, !control.shouldStop else { throw error }
                return .lost(error)
            }
            guard packet.streamIndex == info.index else { continue }
            hasGiven = true
            let told = (packet.presentationTime ?? packet.decodeTime).map {
                rescale($0, from: stream.pointee.time_base, to: microseconds)
            }
            let arrival = clock.now() - origin
            let time = timeline.time(of: told, arrival: arrival, clocks: MachineClocks.now)
            // Data from before the start, when the other device was not open yet, is dropped.
            guard time >= 0 else { continue }
            if told == nil {
                packet.presentationTime = rescale(arrival, from: microseconds, to: stream.pointee.time_base)
            }
            // Sources without a clock of their own, such as libavdevice's generator, would run ahead.
            guard clock.wait(until: origin + time, control) else { return .stopped }
            try route.accept(packet, shift: time &- (told ?? arrival))
        }
        try route.accept(nil, shift: 0)
        try route.finish()
        return .stopped
    }
}
