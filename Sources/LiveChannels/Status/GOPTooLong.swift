import Packaging

extension ChannelStatus {
    /// Segments of the running push are closed for want of a key frame: players that come or seek have to wait for one.
    package struct GOPTooLong: Sendable, Codable, Hashable {
        /// Seconds between the newest two key frames; absent before the second one.
        package var keyFrameDistance: Double?
        /// For people: what to set in the encoder.
        package var advice: String
    }
}

extension ChannelStatus.GOPTooLong {
    /// - Parameters:
    ///   - frameRate: measured, pictures a second.
    ///   - segmentDuration: seconds, of the channel.
    /// - Returns: `nil` where segments close at key frames.
    init?(_ keyFrames: KeyFrameMeter, frameRate: Double?, segmentDuration: Double) {
        guard keyFrames.isCutShort else { return nil }
        keyFrameDistance = keyFrames.distance.map { ($0 * 100).rounded() / 100 }
        let seconds = Self.text(segmentDuration)
        let frameCount = frameRate.flatMap { Int(exactly: ($0 * segmentDuration).rounded()) } ?? 0
        advice =
            "set the encoder to a key frame every \(seconds) s"
            + (frameCount > 0 ? ": a key-frame interval (keyint, ffmpeg's -g) of \(frameCount) pictures" : "")
    }

    /// Without a fraction where there is none.
    private static func text(_ seconds: Double) -> String {
        Int(exactly: seconds).map { "\($0)" } ?? "\(seconds)"
    }
}
