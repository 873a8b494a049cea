/// Determines decode times for frames that arrive in decoding order with presentation times only.
///
/// With a reorder depth of N, the decode time of a frame is the presentation time N places before it in sorted order,
/// because the decoder holds back N frames. The first N are extrapolated backwards by the frame duration.
package struct DecodeTimeEstimator: Sendable {
    /// Largest decoded picture buffer of H.264, in frames (ITU-T H.264 §A.3.1).
    package static let maximumReorderDepth = 16
    /// Limit in ticks. A track may be silent for long; sixteen frames of this duration and any media time still fit
    /// into 64 bits.
    static let maximumFrameDuration: Int64 = 1 << 48

    package private(set) var reorderDepth: Int
    /// Frame duration in ticks, from the parameter sets until the stream itself shows it.
    package private(set) var frameDuration: Int64
    /// The largest presentation times so far in ascending order, at most one more than the depth.
    private var pending: [Int64] = []
    private var lastDecodeTime: Int64 = -1

    /// - Parameters:
    ///   - reorderDepth: number of frames that may be reordered, from the sequence parameter set.
    ///   - frameDuration: nominal frame duration, in ticks of the track's clock.
    package init(reorderDepth: Int, frameDuration: Int64) {
        self.reorderDepth = min(max(0, reorderDepth), Self.maximumReorderDepth)
        self.frameDuration = min(max(1, frameDuration), Self.maximumFrameDuration)
        pending.reserveCapacity(self.reorderDepth + 1)
    }

    /// The times of a frame, in ticks of the track's clock.
    package struct Times: Hashable, Sendable {
        package var decodeTime: Int64
        /// Presentation time as given, or the decode time if that is later.
        package var presentationTime: Int64
    }

    /// The times of the next frame. Decode times rise strictly, and none is after its presentation time.
    package mutating func next(presentationTime: Int64) -> Times {
        deepenIfNeeded(presentationTime)
        insert(presentationTime)
        var decodeTime: Int64
        if pending.count > reorderDepth {
            decodeTime = pending.removeFirst()
            if let following = pending.first, following > decodeTime {
                // The spacing in the stream replaces the nominal one of the parameter sets.
                frameDuration = min(following - decodeTime, Self.maximumFrameDuration)
            }
        } else {
            decodeTime = pending[0] - Int64(reorderDepth - pending.count + 1) * frameDuration
        }
        // Small steps back become a step of one tick; the timeline has already handled large ones.
        decodeTime = max(decodeTime, lastDecodeTime + 1)
        lastDecodeTime = decodeTime
        return Times(decodeTime: decodeTime, presentationTime: max(presentationTime, decodeTime))
    }

    /// Discards the frames before a gap or a jump; the next frame must be a random access point.
    package mutating func restart() { pending.removeAll(keepingCapacity: true) }

    /// Adopts the values of new parameter sets.
    package mutating func change(reorderDepth: Int, frameDuration: Int64) {
        self = DecodeTimeEstimator(reorderDepth: reorderDepth, frameDuration: frameDuration, after: lastDecodeTime)
    }

    private init(reorderDepth: Int, frameDuration: Int64, after lastDecodeTime: Int64) {
        self.init(reorderDepth: reorderDepth, frameDuration: frameDuration)
        self.lastDecodeTime = lastDecodeTime
    }

    /// Increases the depth if needed: the parameter sets of some encoders announce less reordering than they use
    /// (MediaMTX #5808).
    private mutating func deepenIfNeeded(_ presentationTime: Int64) {
        guard presentationTime < lastDecodeTime, reorderDepth < Self.maximumReorderDepth,
            // A step of about a millisecond is caused by the clock, not by a B-frame.
            lastDecodeTime - presentationTime > frameDuration / 2
        else { return }
        reorderDepth += 1
    }

    private mutating func insert(_ presentationTime: Int64) {
        var index = pending.count
        while index > 0, pending[index - 1] > presentationTime { index -= 1 }
        pending.insert(presentationTime, at: index)
    }
}
