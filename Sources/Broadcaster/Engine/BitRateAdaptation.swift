import Capture

/// Adapts the video's bit rate to the uplink, and says so.
struct BitRateAdaptation {
    private var controller = BitRateController()
    private var lastDroppedCount = 0
    private let presetBitRate: Int

    /// - Parameter presetBitRate: the preset's video bit rate in bits per second.
    init(presetBitRate: Int) { self.presetBitRate = presetBitRate }

    /// The target of the video encoder in bits per second.
    var videoBitRate: Int { Int(Double(presetBitRate) * controller.share) }

    /// Handles a new connection.
    ///
    /// - Returns: whether ``videoBitRate`` has changed.
    mutating func reconnected() -> Bool { controller.reconnected() }

    /// Notes what was dropped in a second in which nothing can be adapted.
    mutating func secondPassed(droppedCount: Int) { lastDroppedCount = droppedCount }

    /// Adapts the rate to one second's measurements.
    ///
    /// - Parameters:
    ///   - wait: the backlog in seconds of media.
    ///   - loss: the share of lost packets, if a receiver has reported since the last call.
    ///   - droppedCount: the number of frames dropped since the start.
    /// - Returns: a human-readable notice if ``videoBitRate`` has changed; otherwise `nil`.
    mutating func secondPassed(wait: Double, loss: Double?, droppedCount: Int) -> String? {
        defer { lastDroppedCount = droppedCount }
        let before = controller.level
        guard controller.secondPassed(wait: wait, loss: loss, hasDropped: droppedCount > lastDroppedCount) else {
            return nil
        }
        let rate = "\(videoBitRate / 1_000) kbit/s"
        return controller.level == 0
            ? "the uplink carries the preset again: \(rate)"
            : controller.level < before
                ? "the uplink carries more again: now \(rate)"
                : "the uplink does not carry \(presetBitRate / 1_000) kbit/s: now \(rate)"
    }
}
