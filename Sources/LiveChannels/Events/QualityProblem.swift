/// A problem of the media that arrives from a publisher.
package enum QualityProblem: String, Sendable, Hashable, CaseIterable {
    /// RTP packets are lost on the way.
    case loss
    /// Frames arrive much less regularly than they were recorded.
    case jitter
    /// Fewer frames per second than the preset promises.
    case frameRate = "frame-rate"
    /// Fewer bits per second than the preset promises; see `PresetComparison.bitRateShortfallTolerance`.
    case videoBitRate = "video-bitrate"
    case audioBitRate = "audio-bitrate"
}
