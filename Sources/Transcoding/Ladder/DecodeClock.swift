/// Derives decode times for frames of which only presentation times are known: each frame is decoded when the frame
/// that is presented `delay` frames earlier is. So decode times rise without a jump across chunks.
struct DecodeClock {
    let delay: Int
    /// The last `delay` presentation times; before the first frame, extrapolated ones.
    private var earlier: [Int64]?

    init(delay: Int) { self.delay = delay }

    /// Returns the decode times of the next frames.
    ///
    /// - Parameter times: The presentation times, sorted, all after those of the previous call.
    mutating func decodeTimes(of times: [Int64]) -> [Int64] {
        guard delay > 0, let first = times.first else { return times }
        let distance = times.count > 1 ? max(1, times[1] - first) : 1
        let before = earlier ?? (1...delay).reversed().map { first - Int64($0) * distance }
        let all = before + times
        earlier = Array(all.suffix(delay))
        return Array(all.prefix(times.count))
    }
}
