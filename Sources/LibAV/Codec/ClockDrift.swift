/// Measures how far a sound card's clock drifts from the clock of its timestamps, and computes how many samples
/// compensate for it, spread so widely that nobody hears them.
struct ClockDrift {
    /// The drift in seconds that is left alone: timestamps of devices jitter by less.
    static let toleratedSeconds = 0.01
    /// The seconds over which samples are added or left out.
    static let correctionSeconds = 10
    /// The largest share of samples to add or leave out: 3.5 cents of pitch, and forty times the drift of ordinary
    /// clocks.
    static let maximumShare = 0.002
    /// The seconds over which the drift is averaged.
    private static let averagingSeconds = 2.0

    private let sampleRate: Int
    private var average = 0.0
    /// The number of samples until the current correction is complete.
    private var remaining = 0

    init(sampleRate: Int) { self.sampleRate = sampleRate }

    /// Updates the average with a run of samples and decides whether to start a correction.
    ///
    /// - Parameters:
    ///   - drift: The number of samples by which this run begins later than the end of the previous one; negative if it
    ///     begins earlier.
    ///   - sampleCount: The number of samples in this run.
    /// - Returns: The number of samples to add (negative: to leave out) and the number of samples to spread them over;
    ///   `nil` if nothing is to change.
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

    /// Starts over, after a gap or overlap has been corrected at once.
    mutating func reset() {
        average = 0
        remaining = 0
    }
}
