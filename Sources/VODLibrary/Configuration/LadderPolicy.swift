/// The ladder that is made of every title automatically.
package struct LadderPolicy: Sendable, Hashable {
    /// The presets for every title that becomes ready; empty for no ladder.
    package var presets: [LadderPreset]
    /// libav's name of the encoder.
    package var encoder: String

    package static let defaultEncoder = "libx264"

    package init(presets: [LadderPreset] = [], encoder: String = Self.defaultEncoder) {
        self.presets = presets
        self.encoder = encoder
    }
}
