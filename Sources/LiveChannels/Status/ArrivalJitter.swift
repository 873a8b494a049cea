import MediaCore

/// The mean deviation of the arrival of a track's frames from their own times, as RFC 3550 A.8 defines it for packets.
struct ArrivalJitter: Sendable {
    private var previousTransit: Int64?
    /// In milliseconds.
    private var mean = 0.0

    /// Weight of a new deviation (RFC 3550 A.8).
    private static let gain = 1.0 / 16
    /// A larger deviation is a clock that was set, and says nothing about the network.
    private static let maximumDeviation: Int64 = 10_000

    /// The deviation now.
    var value: Duration { .milliseconds(Int64(mean)) }

    /// Counts a frame.
    ///
    /// - Parameters:
    ///   - decodeTime: the frame's own time.
    ///   - arrivedAt: the time of its arrival.
    mutating func note(_ decodeTime: MediaTime, arrivedAt: WallClockTime) {
        let time = decodeTime.converted(to: .milliseconds).value
        let transit = arrivedAt.millisecondsSince1970.subtractingSaturating(time)
        defer { previousTransit = transit }
        guard let previousTransit else { return }
        let deviation = abs(transit.subtractingSaturating(previousTransit))
        guard deviation <= Self.maximumDeviation else { return }
        mean += (Double(deviation) - mean) * Self.gain
    }
}
