/// Counts frames and bytes of a track and says what they come to a second, over the last few seconds.
struct RateMeter: Sendable {
    private var frameCount = 0
    private var byteCount = 0
    /// What each finished interval counted, oldest first.
    private var intervals: [(duration: Int64, frames: Int, bytes: Int)] = []
    private var intervalStart: Int64?

    /// Milliseconds.
    static let intervalDuration: Int64 = 1_000
    static let intervalCount = 5

    /// - Parameter now: milliseconds of a clock that does not go back.
    /// - Returns: whether an interval ended, so that ``frameRate`` and ``bitRate`` are new.
    mutating func add(byteCount: Int, now: Int64) -> Bool {
        guard let start = intervalStart else {
            intervalStart = now
            self.byteCount = byteCount
            frameCount = 1
            return false
        }
        var isNew = false
        if now - start >= Self.intervalDuration || now < start {
            if intervals.count == Self.intervalCount { intervals.removeFirst() }
            if now > start { intervals.append((now - start, frameCount, self.byteCount)) }
            intervalStart = now
            frameCount = 0
            self.byteCount = 0
            isNew = true
        }
        frameCount += 1
        self.byteCount += byteCount
        return isNew
    }

    private var duration: Double { Double(intervals.reduce(0) { $0 + $1.duration }) / 1_000 }

    /// To one hundredth; `nil` before the first interval has ended.
    var frameRate: Double? {
        intervals.isEmpty
            ? nil : (Double(intervals.reduce(0) { $0 + $1.frames }) / duration * 100).rounded() / 100
    }

    /// Bits a second; `nil` before the first interval has ended.
    var bitRate: Int? {
        intervals.isEmpty ? nil : Int(Double(intervals.reduce(0) { $0 + $1.bytes }) * 8 / duration)
    }
}
