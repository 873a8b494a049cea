/// When pictures are shown of which only decode times and order are known, as in AVI: the n-th that is shown is shown
/// when the n-th after the reordering delay is decoded, which is when a decoder hands it out.
///
/// Pictures come in order of decoding and leave in the same order. Times are ticks of any clock.
struct PictureOrder {
    /// What one picture's bytes tell.
    struct Place: Hashable {
        /// PicOrderCnt: the higher, the later, until it begins anew (ITU-T H.264 §8.2.1, H.265 §8.3.1).
        var count: Int32
        /// An IDR picture, an IRAP picture or one with a recovery point.
        var isKeyFrame: Bool
    }

    /// The order contradicts itself: pictures are damaged, or strung together out of several streams.
    struct Contradiction: Error, Hashable {}

    /// The largest decoded picture buffer that there is (ITU-T H.264 §A.3.1, H.265 §A.4.2): no picture is overtaken by
    /// one that is decoded more than this many pictures later.
    static let maximumReorderedPictureCount = 16
    /// Looked at before the first time is told, so that the delay is right from the first picture on.
    private static let lookAhead = 2 * maximumReorderedPictureCount
    /// Pictures without a time; orderly streams stay below the sum of what is looked at and what is reordered.
    static let maximumHeldPictureCount = 4 * maximumReorderedPictureCount

    /// In pictures.
    private var delay: Int
    private let pictureDuration: Int64
    /// By number in order of decoding; from ``firstTime`` on.
    private var decodeTimes: [Int64] = []
    private var firstTime = 0
    /// Ranks in order of presentation of those that have not left, in order of decoding; `nil` is not known yet.
    private var ranks: [Int?] = []
    private var firstHeld = 0
    /// Of the current count, lowest first.
    private var waiting: [(count: Int32, number: Int)] = []
    private var rankedCount = 0
    private var lastRankedCount: Int32?
    /// Of the picture that the current count began with.
    private var startCount: Int32?
    private var isDelayKnown = false

    /// - Parameters:
    ///   - delay: What the stream says, in pictures; more where the first pictures need it.
    ///   - pictureDuration: For those that are shown after the last decode time.
    init(delay: Int, pictureDuration: Int64) {
        self.delay = max(0, min(Self.maximumReorderedPictureCount, delay))
        self.pictureDuration = pictureDuration
    }

    /// - Parameter picture: Its decode time is above the last one's; `nil` at the end.
    /// - Returns: Presentation times of the next pictures in order of decoding, as far as they are known now; at the end
    ///   of all that are left.
    mutating func accept(_ picture: (place: Place, decodeTime: Int64)?) throws(Contradiction) -> [Int64] {
        guard let (place, decodeTime) = picture else { return try finish() }
        // Where a key frame does not go on counting, all before it are shown before it.
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
            decodeTimes.append(last + pictureDuration)
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

    /// Until here no picture has left, so numbers are indices.
    private mutating func fixDelay() {
        guard !isDelayKnown else { return }
        isDelayKnown = true
        for (number, rank) in ranks.enumerated() {
            // Those that still wait will hardly be overtaken any more; where they are, their time tells.
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
