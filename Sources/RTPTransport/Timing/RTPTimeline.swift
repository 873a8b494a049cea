import MediaCore
package import NIOCore

/// Maps the RTP timestamps of a session's tracks to a common timeline that begins near zero.
///
/// A track joins the timeline with its first packet: according to the wall clock of its sender report if the timeline
/// has one too, otherwise according to its time of arrival. From then on the track's own timestamps count, extended
/// beyond 32 bits. If a publisher's clock jumps, its timestamps are mapped to the current position; the timeline
/// itself never jumps.
package struct RTPTimeline: Sendable {
    /// Position of the first packet, in nanoseconds. It is not zero, because decode times precede presentation times
    /// if frames are reordered, because another track may begin earlier, and because a fragment cannot hold negative
    /// times.
    package static let startNanoseconds: Int64 = 1_000_000_000
    /// Limit in nanoseconds: if the timestamps advance by this much more than real time, the publisher's clock has
    /// jumped.
    static let forwardJumpNanoseconds: Int64 = 3_000_000_000
    /// Limit in nanoseconds for steps back that reordering can explain: 16 frames at 10 frames per second. A larger
    /// step is a jump.
    static let reorderedBackwardJumpNanoseconds: Int64 = 1_600_000_000
    /// Limit in nanoseconds for steps back on a track whose timestamps never go back by design. Smaller steps are
    /// smoothed when decode times are determined.
    static let backwardJumpNanoseconds: Int64 = 100_000_000
    /// Limit in nanoseconds for the distance between a track's position according to sender reports and according to
    /// arrival. Reports that exceed it are wrong (some cameras set their clock between the reports of two tracks),
    /// and the arrival is closer to the truth.
    static let maximumSkewNanoseconds: Int64 = 900_000_000
    /// Limit on extended timestamps and media times, so that sums and differences of a few of them fit into 64 bits.
    /// At 90 kHz it is reached after 400,000 years, or by a malicious publisher.
    static let maximumTicks: Int64 = 1 << 60

    /// A track's clock, as its format describes it.
    package struct Clock: Hashable, Sendable {
        /// Clock rate in ticks per second.
        package var rate: UInt32
        /// Whether the timestamps go back and forth, because video with B-frames is sent in decoding order.
        package var isReordered: Bool

        /// Creates a clock.
        ///
        /// - Precondition: `rate` is positive.
        package init(rate: UInt32, isReordered: Bool) {
            precondition(rate > 0, "a clock rate is positive")
            self.rate = rate
            self.isReordered = isReordered
        }
    }

    /// The position of a timestamp on the timeline.
    package struct Placement: Hashable, Sendable {
        /// Media time on the common timeline, in ticks of the track's clock.
        package var mediaTime: Int64
        /// Jump of the publisher's clock that this timestamp revealed; `nil` if there was none.
        package var jump: Jump?
    }

    /// A jump of the publisher's clock.
    package struct Jump: Hashable, Sendable {
        /// Approximate size in nanoseconds, negative for a jump back.
        package var nanoseconds: Int64
    }

    private struct TrackState: Sendable {
        let clockRate: Int64
        let backwardJump: Int64
        /// The last timestamp, extended beyond its 32 bits; `nil` before the first packet.
        var lastExtended: Int64?
        var highestExtended: Int64 = 0
        var lastArrival: NIODeadline = .uptimeNanoseconds(0)
        /// Offset that turns an extended timestamp into a media time.
        var offset: Int64 = 0
        var senderReport: (nanosecondsSince1970: Int64, rtpTimestamp: UInt32)?

        init(_ clock: Clock) {
            clockRate = Int64(clock.rate)
            backwardJump =
                clock.isReordered ? RTPTimeline.reorderedBackwardJumpNanoseconds : RTPTimeline.backwardJumpNanoseconds
        }

        /// Brings values that have grown too large back into bounds: the timeline stops at `maximumTicks`, and
        /// extended timestamps start again from their 32 bits, at the same media time.
        ///
        /// - Parameter rtpTimestamp: the lower 32 bits of ``lastExtended``.
        /// - Returns: the media time of ``lastExtended``.
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
    /// The first packet of the timeline: its time of arrival and its track; `nil` before it.
    private var origin: (arrival: NIODeadline, trackIndex: Int)?

    /// - Parameter clocks: the clock of each track, in the session's order.
    package init(clocks: [Clock]) { self.init(clocks: clocks, maximumTicks: Self.maximumTicks) }

    /// - Parameter maximumTicks: a lower limit for tests, which cannot send enough packets to reach the real one.
    init(clocks: [Clock], maximumTicks: Int64) {
        tracks = clocks.map(TrackState.init)
        self.maximumTicks = maximumTicks
    }

    /// Maps a timestamp to the timeline. A track joins the timeline with its first timestamp.
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

    /// Handles the first timestamp of a track. Its media time is the distance from the timeline's origin in
    /// wall-clock time, or in time of arrival.
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

    /// Continues a track after a jump: its media time advances by the real time that has passed.
    private mutating func rejoin(_ trackIndex: Int, extended: Int64, elapsed: Int64) {
        let track = tracks[trackIndex]
        let passed = max(1, min(ticks(max(0, elapsed), rate: track.clockRate), maximumTicks))
        let continued = track.highestExtended + track.offset + passed
        tracks[trackIndex].offset = min(continued, maximumTicks) - extended
        tracks[trackIndex].highestExtended = extended
        // A report from before the jump does not apply to timestamps after it.
        tracks[trackIndex].senderReport = nil
    }

    /// Stores a sender report.
    ///
    /// - Returns: a wall-clock time and the media time for it; `nil` if the track has not joined the timeline.
    package mutating func receive(
        _ report: RTCPSenderReport, trackIndex: Int
    ) -> (nanosecondsSince1970: Int64, mediaTime: Int64)? {
        let wallClock = report.ntpTimestamp.nanosecondsSince1970
        tracks[trackIndex].senderReport = (wallClock, report.rtpTimestamp)
        guard let last = tracks[trackIndex].lastExtended else { return nil }
        let step = Int64(Int32(bitPattern: report.rtpTimestamp &- UInt32(truncatingIfNeeded: last)))
        return (wallClock, last + step + tracks[trackIndex].offset)
    }

    /// Wall-clock time of an extended timestamp according to the track's latest sender report; `nil` if there is
    /// none.
    private func wallClock(_ extended: Int64, _ trackIndex: Int) -> Int64? {
        guard let report = tracks[trackIndex].senderReport else { return nil }
        let distance = Int64(Int32(bitPattern: UInt32(truncatingIfNeeded: extended) &- report.rtpTimestamp))
        return report.nanosecondsSince1970.addingSaturating(
            nanoseconds(distance, rate: tracks[trackIndex].clockRate))
    }

    /// Wall-clock time of the timeline's start according to the first track's sender report; `nil` if there is none.
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
