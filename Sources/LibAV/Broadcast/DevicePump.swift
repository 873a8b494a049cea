import CLibAV

/// Reads a camera, a screen or a microphone as fast as it gives. Belongs to one thread.
struct DevicePump {
    let source: any PacketSource
    let info: StreamInfo
    let route: any BroadcastRoute
    let clock: any BroadcastClock
    let control: BroadcastControl
    /// Of the capture, on the clock.
    let origin: Int64

    func run() throws(LibAVError) {
        let packet = try Packet()
        var timeline = DeviceTimeline()
        guard let stream = source.context.pointee.streams[info.index] else { return }
        while try source.read(into: packet) {
            guard packet.streamIndex == info.index else { continue }
            let told = (packet.presentationTime ?? packet.decodeTime).map {
                rescale($0, from: stream.pointee.time_base, to: microseconds)
            }
            let arrival = clock.now - origin
            let time = timeline.time(of: told, arrival: arrival)
            if told == nil {
                packet.presentationTime = rescale(arrival, from: microseconds, to: stream.pointee.time_base)
            }
            // Sources that have no clock of their own, such as libavdevice's generator, would run ahead.
            guard clock.wait(until: origin + time, control) else { return }
            try route.accept(packet, shift: time &- (told ?? arrival))
        }
        try route.accept(nil, shift: 0)
        try route.finish()
    }
}
