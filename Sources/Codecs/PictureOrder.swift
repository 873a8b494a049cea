/// Computes presentation times for frames of which only decode times and picture order counts are known, as in AVI: the
/// n-th frame in presentation order is presented when the n-th frame after the reordering delay is decoded, which is
/// when a decoder outputs it.
///
/// Frames arrive in decoding order and leave in the same order. Times are ticks of any clock.
package struct PictureOrder {
    /// The position of a frame, read from its bytes.
    package struct Place: Hashable {
        /// PicOrderCnt, which increases in presentation order until it starts again (ITU-T H.264 §8.2.1, H.265 §8.3.1).
        package var count: Int32
        /// True if this is an IDR picture, an IRAP picture or one with a recovery point.
        package var isKeyFrame: Bool

        /// Creates a position from the frame's PicOrderCnt and its kind.
        package init(count: Int32, isKeyFrame: Bool) {
            self.count = count
            self.isKeyFrame = isKeyFrame
        }
    }

    /// The order contradicts itself: frames are damaged, or several streams were concatenated.
    package struct Contradiction: Error, Hashable {}

    /// The largest decoded picture buffer in the standards (ITU-T H.264 §A.3.1, H.265 §A.4.2): no frame is overtaken by
    /// one that is decoded more than this many frames later.
    static let maximumReorderedPictureCount = 16
    /// The number of frames to read before the first time is returned, so that the delay is right from the first frame
    /// on.
    private static let lookAhead = 2 * maximumReorderedPictureCount
    /// The largest number of frames without a time; a valid stream stays below the sum of look-ahead and reordering.
    package static let maximumHeldPictureCount = 4 * maximumReorderedPictureCount

    /// The reordering delay, in frames.
    private var delay: Int
    private let frameDuration: Int64
    /// Decode times, indexed by the number in decoding order minus ``firstTime``.
    private var decodeTimes: [Int64] = []
    private var firstTime = 0
    /// Positions in presentation order of the frames that have not left, in decoding order; `nil` if not known yet.
    private var ranks: [Int?] = []
    private var firstHeld = 0
    /// The frames without a rank since the count last started again, lowest count first.
    private var waiting: [(count: Int32, number: Int)] = []
    private var rankedCount = 0
    private var lastRankedCount: Int32?
    /// The count of the frame at which counting last started.
    private var startCount: Int32?
    private var isDelayKnown = false

    /// Creates an empty order.
    ///
    /// - Parameters:
    ///   - delay: The reordering delay from the stream's header, in frames; it grows if the first frames need more.
    ///   - frameDuration: The frame duration, for frames that are presented after the last decode time.
    package init(delay: Int, frameDuration: Int64) {
        self.delay = max(0, min(Self.maximumReorderedPictureCount, delay))
        self.frameDuration = frameDuration
    }

    /// Adds a frame. Throws ``Contradiction`` if the order contradicts itself.
    ///
    /// - Parameter picture: A frame whose decode time is later than the last one's; `nil` at the end.
    /// - Returns: The presentation times of the next frames in decoding order, as far as they are known; at the end, of
    ///   all that are left.
    package mutating func accept(_ picture: (place: Place, decodeTime: Int64)?) throws(Contradiction) -> [Int64] {
        guard let (place, decodeTime) = picture else { return try finish() }
        // If a key frame does not continue the count, all frames before it are presented before it.
        if place.isKeyFrame, let startCount, place.count <= startCount { rankAllWaiting() }
        if let lastRankedCount, place.count <= lastRankedCount { throw Contradiction() }
        let position = waiting.firstIndex { $0.count >= place.count } ?? waiting.count
        if position < waiting.count, waiting[position].count == place.count { throw Contradiction() }
        waiting.insert((place.count, firstHeld + ranks.count), at: position)
        startCount = startCount ?? place.count
        ranks.append(nil)
        decodeTimes.append(decodeTime)
        if waiting.count > Self.maximumReorderedPictureCount { rankNext() }
        if firstHeld + ranks.count >= Self.lookAhead { fixDelay() }
        let times = try timesOfNext()
        guard ranks.count <= Self.maximumHeldPictureCount else { throw Contradiction() }
        return times
    }

    private mutating func finish() throws(Contradiction) -> [Int64] {
        rankAllWaiting()
        fixDelay()
        while let last = decodeTimes.last, firstTime + decodeTimes.count < rankedCount + delay {
            decodeTimes.append(last + frameDuration)
        }
        return try timesOfNext()
    }

    private mutating func rankNext() {
        let next = waiting.removeFirst()
        ranks[next.number - firstHeld] = rankedCount
        rankedCount += 1
        lastRankedCount = next.count
    }

    private mutating func rankAllWaiting() {
        while !waiting.isEmpty { rankNext() }
        lastRankedCount = nil
        startCount = nil
    }

    /// Sets the delay from the first frames. No frame has left yet, so numbers are indices.
    private mutating func fixDelay() {
        guard !isDelayKnown else { return }
        isDelayKnown = true
        for (number, rank) in ranks.enumerated() {
            // Waiting frames will hardly be overtaken any more; if one is, its time tells.
            let expected = rank ?? waiting.firstIndex { $0.number == number }.map { rankedCount + $0 }
            delay = max(delay, number - (expected ?? number))
        }
    }

    private mutating func timesOfNext() throws(Contradiction) -> [Int64] {
        guard isDelayKnown else { return [] }
        var times: [Int64] = []
        while times.count < ranks.count, let rank = ranks[times.count] {
            let number = firstHeld + times.count
            guard rank + delay >= number else { throw Contradiction() }
            guard rank + delay < firstTime + decodeTimes.count else { break }
            times.append(decodeTimes[rank + delay - firstTime])
        }
        ranks.removeFirst(times.count)
        firstHeld += times.count
        let unneeded = min(lowestRankToCome + delay - firstTime, decodeTimes.count - 1)
        if unneeded > 0 {
            decodeTimes.removeFirst(unneeded)
            firstTime += unneeded
        }
        return times
    }

    private var lowestRankToCome: Int { ranks.compactMap(\.self).min() ?? rankedCount }
}
