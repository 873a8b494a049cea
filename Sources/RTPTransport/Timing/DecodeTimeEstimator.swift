/// Works out decode times for pictures that arrive in decoding order with presentation times only.
///
/// With a reorder depth of N, the decode time of a picture is the presentation time that is N places before it when
/// all are sorted: the decoder holds N pictures back. The first N extrapolate backwards by the frame duration.
package struct DecodeTimeEstimator: Sendable {
    /// H.264's largest DPB (ITU-T H.264 §A.3.1).
    package static let maximumReorderDepth = 16
    /// A track may be silent for long; sixteen frames of this length still fit into 64 bits beside any media time.
    static let maximumFrameDuration: Int64 = 1 << 48

    package private(set) var reorderDepth: Int
    /// Ticks; of the parameter sets until the stream shows its own.
    package private(set) var frameDuration: Int64
    /// The largest presentation times seen, ascending; at most one more than the depth.
    private var pending: [Int64] = []
    private var lastDecodeTime: Int64 = -1

    /// - Parameters:
    ///   - reorderDepth: from the sequence parameter set.
    ///   - frameDuration: nominal, in ticks of the track's clock.
    package init(reorderDepth: Int, frameDuration: Int64) {
        self.reorderDepth = min(max(0, reorderDepth), Self.maximumReorderDepth)
        self.frameDuration = min(max(1, frameDuration), Self.maximumFrameDuration)
        pending.reserveCapacity(self.reorderDepth + 1)
    }

    package struct Times: Hashable, Sendable {
        package var decodeTime: Int64
        /// As given, unless that would be before the decode time.
        package var presentationTime: Int64
    }

    /// Decode times rise strictly, and none is after its presentation time.
    package mutating func next(presentationTime: Int64) -> Times {
        deepenIfNeeded(presentationTime)
        insert(presentationTime)
        var decodeTime: Int64
        if pending.count > reorderDepth {
            decodeTime = pending.removeFirst()
            if let following = pending.first, following > decodeTime {
                // What the stream itself shows replaces what its parameter sets promised.
                frameDuration = min(following - decodeTime, Self.maximumFrameDuration)
            }
        } else {
            decodeTime = pending[0] - Int64(reorderDepth - pending.count + 1) * frameDuration
        }
        // Small steps back are smoothed to one tick; the timeline has already dealt with large ones.
        decodeTime = max(decodeTime, lastDecodeTime + 1)
        lastDecodeTime = decodeTime
        return Times(decodeTime: decodeTime, presentationTime: max(presentationTime, decodeTime))
    }

    /// Forgets the pictures before a gap or a jump; the next one must be a random access point.
    package mutating func restart() { pending.removeAll(keepingCapacity: true) }

    /// New parameter sets.
    package mutating func change(reorderDepth: Int, frameDuration: Int64) {
        self = DecodeTimeEstimator(reorderDepth: reorderDepth, frameDuration: frameDuration, after: lastDecodeTime)
    }

    private init(reorderDepth: Int, frameDuration: Int64, after lastDecodeTime: Int64) {
        self.init(reorderDepth: reorderDepth, frameDuration: frameDuration)
        self.lastDecodeTime = lastDecodeTime
    }

    /// Encoders exist whose parameter sets promise less reordering than they do (MediaMTX #5808).
    private mutating func deepenIfNeeded(_ presentationTime: Int64) {
        guard presentationTime < lastDecodeTime, reorderDepth < Self.maximumReorderDepth,
            // A step of a millisecond or so is a clock's, not a B picture's.
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
