import CLibAV
import LibAV
import MediaCore

/// Reads a file or standard input at its own pace. Belongs to one thread.
struct PacketPump {
    /// The largest step of time in either direction that does not count as a jump of the clock, as in concatenated
    /// recordings.
    private static let maximumStepMicroseconds: Int64 = 10_000_000
    /// The largest lateness: beyond it reading was held up, or the machine was asleep, and time continues from there.
    private static let maximumLatenessMicroseconds: Int64 = 5_000_000
    /// The shortest wait for a source that counts as a stall of the source, which then causes the lateness.
    private static let minimumStallMicroseconds: Int64 = 100_000
    /// The duration of a frame if the source does not say.
    private static let assumedDurationMicroseconds: Int64 = 40_000

    /// Packets that are due within this time are sent together with those that are due now, which saves wake-ups. They
    /// are that much early, never late.
    private static let maximumEarlinessMicroseconds: Int64 = 50_000

    private let source: any PacketSource
    /// Seeks to the beginning; `nil` if the source is not repeated.
    private let rewind: (() -> Bool)?
    private let clock: BroadcastClock
    private let control: BroadcastControl
    private let origin: Int64
    private let beforeWait: () -> Void
    private let timeline: Timeline
    private var routes: [Int: any BroadcastRoute] = [:]

    /// The mapping of the source's times to the capture's; a class, so that ``PacketPump/run()`` need not be mutating.
    final class Timeline {
        /// The shift to add to the source's times, in microseconds.
        var shift: Int64?
        /// The time of the last packet read, in the capture's time.
        var last: Int64 = 0
        /// The end of the media that has been read, in the capture's time.
        var end: Int64 = 0
        /// The time spent waiting for the last packet.
        var wait: Int64 = 0
    }

    /// Creates a pump without routes.
    ///
    /// - Parameters:
    ///   - origin: The start of the capture on the clock.
    ///   - beforeWait: Called before the thread sleeps, and at the end, to flush batched output.
    init(
        _ source: any PacketSource, rewind: (() -> Bool)?, clock: BroadcastClock, control: BroadcastControl,
        origin: Int64, beforeWait: @escaping () -> Void
    ) {
        self.source = source
        self.rewind = rewind
        self.clock = clock
        self.control = control
        self.origin = origin
        self.beforeWait = beforeWait
        timeline = Timeline()
    }

    /// Sends a stream's packets to a route.
    mutating func add(_ route: any BroadcastRoute, for info: StreamInfo) { routes[info.index] = route }

    /// Runs until the source ends or the capture is stopped.
    func run() throws(LibAVError) {
        defer { beforeWait() }
        let packet = try Packet()
        while !control.shouldStop {
            var packetCount = 0
            while try next(into: packet) {
                guard let route = routes[packet.streamIndex] else { continue }
                packetCount += 1
                guard let shift = pace(packet) else { return }
                try route.accept(packet, shift: shift)
            }
            for route in routes.values { try route.accept(nil, shift: timeline.shift ?? 0) }
            // A file without packets must not be repeated for ever.
            guard packetCount > 0, let rewind, rewind() else { break }
            timeline.shift = nil
        }
        for route in routes.values { try route.finish() }
    }

    private func next(into packet: Packet) throws(LibAVError) -> Bool {
        if source.isLive { beforeWait() }
        let start = clock.now()
        defer { timeline.wait = clock.now() - start }
        return try source.read(into: packet)
    }

    /// Waits until a time.
    ///
    /// - Returns: False if the capture is to stop.
    private func wait(until time: Int64) -> Bool {
        guard clock.now() < time - Self.maximumEarlinessMicroseconds else { return !control.shouldStop }
        beforeWait()
        return clock.wait(until: time, control)
    }

    /// Waits for the packet's time.
    ///
    /// - Returns: The shift to add to its times; `nil` if the capture is to stop.
    private func pace(_ packet: Packet) -> Int64? {
        guard let stream = source.context.pointee.streams[packet.streamIndex] else { return nil }
        guard let ticks = packet.decodeTime ?? packet.presentationTime else { return timeline.shift ?? 0 }
        let told = rescale(ticks, from: stream.pointee.time_base, to: microseconds)
        var shift = timeline.shift ?? timeline.end &- told
        let step = (told &+ shift).subtractingReportingOverflow(timeline.last)
        if step.overflow || step.partialValue.magnitude > UInt64(Self.maximumStepMicroseconds) {
            shift = timeline.end &- told
        }
        let lateness = clock.now() - origin - (told &+ shift)
        // A program that writes to a pipe at its own pace does not catch up after a pause: everything after it would be
        // too late.
        let hasStalled =
            timeline.wait >= Self.minimumStallMicroseconds && lateness > Punctuality.maximumLatenessMicroseconds
        if hasStalled || lateness > Self.maximumLatenessMicroseconds { shift &+= lateness }
        let time = told &+ shift
        guard wait(until: origin + time) else { return nil }
        timeline.shift = shift
        timeline.last = time
        let duration = rescale(packet.duration, from: stream.pointee.time_base, to: microseconds)
        timeline.end = max(timeline.end, time + (duration > 0 ? duration : Self.assumedDurationMicroseconds))
        return shift
    }
}
