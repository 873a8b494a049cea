import MediaCore
package import NIOCore

/// Puts the RTP timestamps of a session's tracks on one line that begins near zero.
///
/// A track joins the line with its first packet: by its sender report's wall clock where the line has one too, else by
/// when it arrived. From then on its own timestamps count, extended beyond 32 bits. A publisher whose clock jumps is
/// put back where the line is; the line never jumps.
package struct RTPTimeline: Sendable {
    /// Where the first packet goes. Not zero, because decode times precede presentation times by the reordering of
    /// pictures, and another track may begin earlier; and negative times cannot be written into a fragment.
    package static let startNanoseconds: Int64 = 1_000_000_000
    /// A step forward beyond what passed in real time by this much is a jump of the publisher's clock.
    static let forwardJumpNanoseconds: Int64 = 3_000_000_000
    /// A step back by this much is one too, rather than the reordering of pictures: 16 pictures at 10 a second.
    static let reorderedBackwardJumpNanoseconds: Int64 = 1_600_000_000
    /// The same for a track whose timestamps never go back by design. Smaller steps are smoothed where decode times
    /// are made.
    static let backwardJumpNanoseconds: Int64 = 100_000_000
    /// Sender reports that place a track further than this from where it arrived are wrong (cameras that set their
    /// clock between two tracks' reports), and arrival is nearer to the truth.
    static let maximumSkewNanoseconds: Int64 = 900_000_000
    /// Neither extended timestamps nor media times go beyond this, so that sums and differences of a few of them fit
    /// into 64 bits. At 90 kHz it is reached after 400,000 years; only a publisher that tries gets there.
    static let maximumTicks: Int64 = 1 << 60

    /// A track's clock, as its format describes it.
    package struct Clock: Hashable, Sendable {
        /// Ticks a second.
        package var rate: UInt32
        /// Video with B pictures is sent in decoding order, so that its timestamps go back and forth.
        package var isReordered: Bool

        package init(rate: UInt32, isReordered: Bool) {
            precondition(rate > 0, "a clock ticks")
            self.rate = rate
            self.isReordered = isReordered
        }
    }

    /// What became of a timestamp.
    package struct Placement: Hashable, Sendable {
        /// Ticks of the track's clock on the common line.
        package var mediaTime: Int64
        /// The publisher's clock jumped by about this much; the line goes on.
        package var jump: Jump?
    }

    package struct Jump: Hashable, Sendable {
        /// Of the publisher's clock, negative backwards.
        package var nanoseconds: Int64
    }

    private struct TrackState: Sendable {
        let clockRate: Int64
        let backwardJump: Int64
        /// Extended: the 32 bits that were sent and what wrapped before them.
        var lastExtended: Int64?
        var highestExtended: Int64 = 0
        var lastArrival: NIODeadline = .uptimeNanoseconds(0)
        /// Added to an extended timestamp, gives the media time.
        var offset: Int64 = 0
        var senderReport: (nanosecondsSince1970: Int64, rtpTimestamp: UInt32)?

        init(_ clock: Clock) {
            clockRate = Int64(clock.rate)
            backwardJump =
                clock.isReordered ? RTPTimeline.reorderedBackwardJumpNanoseconds : RTPTimeline.backwardJumpNanoseconds
        }

        /// Brings what has grown too large back into bounds: the line stops at `maximumTicks`, and
        /// extended timestamps begin again from the 32 bits that were sent, at the same media time.
        ///
        /// - Parameter rtpTimestamp: the lower 32 bits of ``lastExtended``.
        /// - Returns: its media time.
        mutating func finish(_ rtpTimestamp: UInt32, maximumTicks: Int64) -> Int64 {
            guard let extended = lastExtended else { return 0 }
            let mediaTime = min(extended + offset, maximumTicks)
            offset = mediaTime - extended
            guard extended.magnitude > maximumTicks.magnitude else { return mediaTime }
            let shift = extended - Int64(rtpTimestamp)
            lastExtended = extended - shift
            highestExtended -= shift
            offset += shift
            return mediaTime
        }
    }

    private var tracks: [TrackState]
    private let maximumTicks: Int64
    /// The line's first packet: when it came, and its wall-clock time by its sender's report.
    private var origin: (arrival: NIODeadline, trackIndex: Int)?

    /// - Parameter clocks: each track's, in the session's order.
    package init(clocks: [Clock]) { self.init(clocks: clocks, maximumTicks: Self.maximumTicks) }

    /// - Parameter maximumTicks: for tests, which cannot send the packets that reach the real one.
    init(clocks: [Clock], maximumTicks: Int64) {
        tracks = clocks.map(TrackState.init)
        self.maximumTicks = maximumTicks
    }

    package mutating func place(rtpTimestamp: UInt32, trackIndex: Int, arrival: NIODeadline) -> Placement {
        guard let last = tracks[trackIndex].lastExtended else {
            return Placement(mediaTime: join(rtpTimestamp, trackIndex: trackIndex, arrival: arrival), jump: nil)
        }
        let step = Int64(Int32(bitPattern: rtpTimestamp &- UInt32(truncatingIfNeeded: last)))
        let extended = last + step
        let elapsed = (arrival - tracks[trackIndex].lastArrival).nanoseconds
        let rate = tracks[trackIndex].clockRate
        let fromHighest = nanoseconds(extended - tracks[trackIndex].highestExtended, rate: rate)
        tracks[trackIndex].lastExtended = extended
        tracks[trackIndex].lastArrival = arrival
        var jump: Jump?
        if fromHighest > max(0, elapsed) + Self.forwardJumpNanoseconds || fromHighest < -tracks[trackIndex].backwardJump
        {
            jump = Jump(nanoseconds: fromHighest)
            rejoin(trackIndex, extended: extended, elapsed: elapsed)
        }
        tracks[trackIndex].highestExtended = max(tracks[trackIndex].highestExtended, extended)
        return Placement(mediaTime: tracks[trackIndex].finish(rtpTimestamp, maximumTicks: maximumTicks), jump: jump)
    }

    /// The first timestamp of a track. Media time is its wall-clock (or arrival) distance from the line's origin.
    private mutating func join(_ rtpTimestamp: UInt32, trackIndex: Int, arrival: NIODeadline) -> Int64 {
        let extended = Int64(rtpTimestamp)
        var distance: Int64 = 0
        if let origin {
            distance = (arrival - origin.arrival).nanoseconds
            if let here = wallClock(extended, trackIndex), let there = wallClockAtOrigin {
                let byReport = here.subtractingSaturating(there)
                let skew = byReport.subtractingSaturating(distance)
                if skew.magnitude <= Self.maximumSkewNanoseconds.magnitude { distance = byReport }
            }
        } else {
            origin = (arrival, trackIndex)
        }
        let fromStart = ticks(Self.startNanoseconds.addingSaturating(distance), rate: tracks[trackIndex].clockRate)
        let mediaTime = min(max(0, fromStart), maximumTicks)
        tracks[trackIndex].lastExtended = extended
        tracks[trackIndex].highestExtended = extended
        tracks[trackIndex].lastArrival = arrival
        tracks[trackIndex].offset = mediaTime - extended
        return mediaTime
    }

    /// After a jump the line goes on as far as real time did.
    private mutating func rejoin(_ trackIndex: Int, extended: Int64, elapsed: Int64) {
        let track = tracks[trackIndex]
        let passed = max(1, min(ticks(max(0, elapsed), rate: track.clockRate), maximumTicks))
        let continued = track.highestExtended + track.offset + passed
        tracks[trackIndex].offset = min(continued, maximumTicks) - extended
        tracks[trackIndex].highestExtended = extended
        // The report that came before the jump says nothing about the timestamps after it.
        tracks[trackIndex].senderReport = nil
    }

    /// - Returns: the wall-clock time and the media time that belong together, where the track is on the line.
    package mutating func receive(
        _ report: RTCPSenderReport, trackIndex: Int
    ) -> (nanosecondsSince1970: Int64, mediaTime: Int64)? {
        // Zero is what senders without a wall clock write (RFC 3550 §6.4.1).
        guard report.ntpTimestamp.rawValue != 0 else { return nil }
        let wallClock = report.ntpTimestamp.nanosecondsSince1970
        tracks[trackIndex].senderReport = (wallClock, report.rtpTimestamp)
        guard let last = tracks[trackIndex].lastExtended else { return nil }
        let step = Int64(Int32(bitPattern: report.rtpTimestamp &- UInt32(truncatingIfNeeded: last)))
        return (wallClock, last + step + tracks[trackIndex].offset)
    }

    /// By the track's latest sender report.
    private func wallClock(_ extended: Int64, _ trackIndex: Int) -> Int64? {
        guard let report = tracks[trackIndex].senderReport else { return nil }
        let distance = Int64(Int32(bitPattern: UInt32(truncatingIfNeeded: extended) &- report.rtpTimestamp))
        return report.nanosecondsSince1970.addingSaturating(
            nanoseconds(distance, rate: tracks[trackIndex].clockRate))
    }

    /// The wall-clock time of the line's start, by the first track's report.
    private var wallClockAtOrigin: Int64? {
        guard let origin else { return nil }
        let track = tracks[origin.trackIndex]
        let start = ticks(Self.startNanoseconds, rate: track.clockRate) - track.offset
        return wallClock(start, origin.trackIndex)
    }

    private func nanoseconds(_ ticks: Int64, rate: Int64) -> Int64 {
        Int64(clamping: Int128(ticks) * 1_000_000_000 / Int128(rate))
    }

    private func ticks(_ nanoseconds: Int64, rate: Int64) -> Int64 {
        Int64(clamping: Int128(nanoseconds) * Int128(rate) / 1_000_000_000)
    }
}
