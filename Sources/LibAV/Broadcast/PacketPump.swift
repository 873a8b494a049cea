import CLibAV
import MediaCore

/// Reads a file or standard input at its own pace. Belongs to one thread.
struct PacketPump {
    /// A step further than this, either way, is a clock that was set, as where recordings are strung together.
    private static let maximumStepMicroseconds: Int64 = 10_000_000
    /// Later than this, what is read has been held up, or the machine was asleep: time goes on from there.
    private static let maximumLatenessMicroseconds: Int64 = 5_000_000
    /// A source that is waited for this long has itself to blame for what comes late.
    private static let minimumStallMicroseconds: Int64 = 100_000
    /// What a picture lasts where the source does not say.
    private static let assumedDurationMicroseconds: Int64 = 40_000

    /// What is due within this time goes out with what is due now: one waking for some pictures and their sound. It
    /// comes that much early, never late.
    private static let maximumEarlinessMicroseconds: Int64 = 50_000

    private let source: any PacketSource
    /// Goes back to the beginning; `nil` where the source ends at its end.
    private let rewind: (() -> Bool)?
    private let clock: any BroadcastClock
    private let control: BroadcastControl
    private let origin: Int64
    private let beforeWait: () -> Void
    private let timeline: Timeline
    private var routes: [Int: any BroadcastRoute] = [:]

    /// How the source's times become the capture's; shared with the routes, which ask whether they are late.
    final class Timeline {
        /// Added to the source's times.
        var shift: Int64?
        /// Of the last packet read, in the capture's time.
        var last: Int64 = 0
        /// Where the source has been read to.
        var end: Int64 = 0
        /// How long the last packet was waited for.
        var wait: Int64 = 0
    }

    /// - Parameters:
    ///   - origin: of the capture, on the clock.
    ///   - beforeWait: called before the thread sleeps, and at the end: what has been gathered has to go out.
    init(
        _ source: any PacketSource, rewind: (() -> Bool)?, clock: any BroadcastClock, control: BroadcastControl,
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

    mutating func add(_ route: any BroadcastRoute, for info: StreamInfo) { routes[info.index] = route }

    /// Until the source ends or the capture is stopped.
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
            // A file that gives nothing must not be read for ever.
            guard packetCount > 0, let rewind, rewind() else { break }
            timeline.shift = nil
        }
        for route in routes.values { try route.finish() }
    }

    private func next(into packet: Packet) throws(LibAVError) -> Bool {
        if source.isLive { beforeWait() }
        let start = clock.now
        defer { timeline.wait = clock.now - start }
        return try source.read(into: packet)
    }

    /// - Returns: false where the capture is to stop.
    private func wait(until time: Int64) -> Bool {
        guard clock.now < time - Self.maximumEarlinessMicroseconds else { return !control.shouldStop }
        beforeWait()
        return clock.wait(until: time, control)
    }

    /// Waits for the packet's time.
    ///
    /// - Returns: what to add to its times; `nil` where the capture is to stop.
    private func pace(_ packet: Packet) -> Int64? {
        guard let stream = source.context.pointee.streams[packet.streamIndex] else { return nil }
        guard let ticks = packet.decodeTime ?? packet.presentationTime else { return timeline.shift ?? 0 }
        let told = rescale(ticks, from: stream.pointee.time_base, to: microseconds)
        var shift = timeline.shift ?? timeline.end &- told
        let step = (told &+ shift).subtractingReportingOverflow(timeline.last)
        if step.overflow || step.partialValue.magnitude > UInt64(Self.maximumStepMicroseconds) {
            shift = timeline.end &- told
        }
        let lateness = clock.now - origin - (told &+ shift)
        // Whoever writes to a pipe at its own pace does not catch up behind a pause: all that follows would be too late.
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
