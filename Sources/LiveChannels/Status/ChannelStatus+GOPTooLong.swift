import Packaging

extension ChannelStatus {
    /// A warning that segments of the running push are closed without a key frame, so that players that join or seek
    /// have to wait for one.
    package struct GOPTooLong: Sendable, Codable, Hashable {
        /// Seconds between the newest two key frames; absent before the second one.
        package var keyFrameDistance: Double?
        /// Human-readable advice on the encoder's settings.
        package var advice: String
    }
}

extension ChannelStatus.GOPTooLong {
    /// Makes the warning if it is due.
    ///
    /// - Parameters:
    ///   - frameRate: the measured frame rate, in frames per second.
    ///   - segmentDuration: the channel's segment duration, in seconds.
    /// - Returns: `nil` if segments close at key frames.
    init?(_ keyFrames: KeyFrameMeter, frameRate: Double?, segmentDuration: Double) {
        guard keyFrames.isCutShort else { return nil }
        keyFrameDistance = keyFrames.distance.map { ($0 * 100).rounded() / 100 }
        let seconds = Self.text(segmentDuration)
        let frameCount = frameRate.flatMap { Int(exactly: ($0 * segmentDuration).rounded()) } ?? 0
        advice =
            "set the encoder to a key frame every \(seconds) s"
            + (frameCount > 0 ? ": a key-frame interval (keyint, ffmpeg's -g) of \(frameCount) frames" : "")
    }

    /// The number without a fraction if it is whole.
    private static func text(_ seconds: Double) -> String {
        Int(exactly: seconds).map { "\($0)" } ?? "\(seconds)"
    }
}
