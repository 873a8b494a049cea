import NIOCore

/// Measures the bit rate of a ladder's source, and keeps the qualities below it: one with more bits than the source
/// would be worse and cost more.
struct SourceRate {
    /// The time after which the first measurement counts, and each one after it.
    static let firstInterval = TimeAmount.seconds(5)
    static let interval = TimeAmount.seconds(10)
    /// The largest share of a quality in the bit rate of the next larger one, or of the source.
    static let maximumShare = 0.75
    /// The change of a bit rate that is worth telling the encoder.
    static let minimumChange = 0.2
    /// A quality never has fewer bits per second: pictures that do not move say nothing about those that follow.
    static let minimumBitRate = 50_000

    private var byteCount = 0
    private var since: NIODeadline?
    private var next = Self.firstInterval
    /// Bits per second; `nil` before the first measurement.
    private(set) var bitRate: Int?

    mutating func add(byteCount: Int) { self.byteCount += byteCount }

    /// Ends a measurement if it has lasted long enough.
    ///
    /// - Returns: whether ``bitRate`` is new.
    mutating func measure(now: NIODeadline) -> Bool {
        guard let since else {
            (since, byteCount) = (now, 0)
            return false
        }
        let elapsed = now - since
        guard elapsed >= next else { return false }
        bitRate = Int(Double(byteCount) * 8 / (Double(elapsed.nanoseconds) / 1e9))
        (self.since, byteCount, next) = (now, 0, Self.interval)
        return true
    }

    /// The bit rates of qualities that are to have those of their presets.
    ///
    /// - Parameters:
    ///   - presets: in bits per second, largest first.
    ///   - current: the present ones, which stay if they are about right.
    ///   - apart: the index of a quality that players do not choose among the others, which may have as many bits as
    ///     the source; `nil` for none.
    func bitRates(_ presets: [Int], current: [Int], apart: Int? = nil) -> [Int] {
        guard let bitRate else { return presets }
        var limit = Double(bitRate) * Self.maximumShare
        return presets.indices.map { index in
            let (preset, current) = (presets[index], current[index])
            let most = index == apart ? Double(bitRate) : limit
            let wanted = max(min(preset, Self.minimumBitRate), min(preset, Int(most)))
            if index != apart { limit = min(limit, Double(preset)) * Self.maximumShare }
            let change = abs(Double(wanted - current)) / Double(max(1, current))
            return change >= Self.minimumChange || wanted == preset ? wanted : current
        }
    }
}
