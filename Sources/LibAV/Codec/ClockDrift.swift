/// How a sound card's clock runs apart from the clock of its timestamps, and how many samples make up for it: spread so
/// widely that nobody hears them.
struct ClockDrift {
    /// Seconds that sound may be off: timestamps of devices waver by less.
    static let toleratedSeconds = 0.01
    /// Seconds over which samples are added or left out.
    static let correctionSeconds = 10
    /// Of those seconds' samples: 3.5 cents of pitch, and forty times what ordinary clocks differ by.
    static let maximumShare = 0.002
    /// Seconds over which the drift is averaged.
    private static let averagingSeconds = 2.0

    private let sampleRate: Int
    private var average = 0.0
    /// Samples until the correction under way has been made.
    private var remaining = 0

    init(sampleRate: Int) { self.sampleRate = sampleRate }

    /// - Parameters:
    ///   - drift: by how many samples the sound at hand comes later than what is before it ends; negative for earlier.
    ///   - sampleCount: of the sound at hand.
    /// - Returns: how many samples to add (negative: to leave out) over how many; `nil` where nothing is to change.
    mutating func correction(drift: Int64, sampleCount: Int) -> (delta: Int32, distance: Int32)? {
        let weight = min(1, Double(sampleCount) / (Double(sampleRate) * Self.averagingSeconds))
        average += (Double(drift) - average) * weight
        remaining -= sampleCount
        guard remaining <= 0, average.magnitude > Double(sampleRate) * Self.toleratedSeconds else { return nil }
        let distance = sampleRate * Self.correctionSeconds
        let most = Double(distance) * Self.maximumShare
        remaining = distance
        return (Int32(max(-most, min(most, average))), Int32(distance))
    }

    /// The sound has been put right at once.
    mutating func reset() {
        average = 0
        remaining = 0
    }
}
