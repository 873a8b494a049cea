package import Codecs

/// The video and audio parameters that a slate must have, so that players can switch from a channel's own media to the
/// slate without a new decoder.
package struct SlateShape: Sendable, Hashable, Codable {
    /// Width in pixels; even, as is the height.
    package var width: Int
    /// Height in pixels; even.
    package var height: Int
    /// Frames per second as a fraction: this is the numerator, ``frameRateDivisor`` the denominator.
    package var frameRate: Int
    /// The denominator of the frame rate.
    package var frameRateDivisor: Int
    /// Seconds between key frames.
    package var keyFrameInterval: Int
    /// Audio samples per second; `nil` for a slate without audio.
    package var sampleRate: Int?
    /// Audio channels; `nil` for a slate without audio.
    package var channelCount: Int?
    /// Text on the card, in canonical decomposition; `nil` for none. Players do not depend on it, so a channel asks for
    /// a shape without one.
    package var title: String?

    /// Frame rates that cameras and encoders use, in thousandths of a frame per second, each as a fraction. Measured
    /// rates are close to these.
    private static let usualRates = [
        (23_976, 24_000, 1_001), (24_000, 24, 1), (25_000, 25, 1), (29_970, 30_000, 1_001), (30_000, 30, 1),
        (50_000, 50, 1), (59_940, 60_000, 1_001), (60_000, 60, 1),
    ]
    /// Limit on the key-frame interval in seconds, so that the loop of a clip has at least two groups of pictures.
    private static let maximumKeyFrameInterval = 10
    /// A measured rate that differs from a usual one by less than this share is taken to be the usual one.
    private static let tolerance = 0.0004

    /// Derives the shape of a slate from a channel's own media.
    ///
    /// - Parameters:
    ///   - video: the configuration of the channel's video.
    ///   - measuredFrameRate: frames per second.
    ///   - segmentDuration: the channel's segment duration, in seconds.
    ///   - audio: the configuration of the channel's audio; `nil` if it has none.
    /// - Returns: `nil` for frame sizes that encoders do not accept.
    package init?(
        video: CodecConfiguration, measuredFrameRate: Double, segmentDuration: Double, audio: CodecConfiguration?
    ) {
        guard let size = video.videoSize, (16...8_192).contains(size.width), (16...8_192).contains(size.height),
            measuredFrameRate.isFinite
        else { return nil }
        width = size.width / 2 * 2
        height = size.height / 2 * 2
        let usual = Self.usualRates.first {
            abs(measuredFrameRate * 1_000 / Double($0.0) - 1) < Self.tolerance
        }
        // At most 60 frames per second (HLS Authoring Specification 1.19).
        frameRate = usual?.1 ?? Int(min(60, max(1, measuredFrameRate)).rounded())
        frameRateDivisor = usual?.2 ?? 1
        // A segment has to be a whole number of intervals; otherwise there would be no key frame at its end.
        let segmentSeconds = Int(max(1, segmentDuration).rounded(.up))
        keyFrameInterval = (1...Self.maximumKeyFrameInterval).last { segmentSeconds % $0 == 0 } ?? 1
        sampleRate = audio?.audioSampleRate
        channelCount = audio?.audioChannelCount
    }
}
