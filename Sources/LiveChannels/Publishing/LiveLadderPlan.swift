package import Codecs
package import MediaCore

/// The ladder to make of a push's video: the same pictures in lower qualities.
package struct LiveLadderPlan: Sendable, Hashable {
    /// The configuration of the video: H.264, HEVC or AV1.
    package var configuration: CodecConfiguration
    /// The unit of all times.
    package var timescale: Timescale
    /// The qualities, the largest first.
    package var presets: [QualityPreset]
    /// libav's name of the encoder of titles, which channels share if they can.
    package var encoder: String
    /// The number of the quality into which the scoreboard is drawn; `nil` for none.
    package var boardRung: Int?

    package init(
        configuration: CodecConfiguration, timescale: Timescale, presets: [QualityPreset], encoder: String,
        boardRung: Int? = nil
    ) {
        (self.configuration, self.timescale) = (configuration, timescale)
        (self.presets, self.encoder, self.boardRung) = (presets, encoder, boardRung)
    }
}
