package import MediaCore

/// The ladder that is made of every title automatically.
package struct LadderPolicy: Sendable, Hashable {
    /// The presets for every title that becomes ready; empty for no ladder. Their audio bit rate is 0, because
    /// renditions share the title's audio: a policy stays the same if only that rate of a preset changes.
    package let presets: [QualityPreset]
    /// libav's name of the encoder.
    package var encoder: String

    package static let defaultEncoder = "libx264"

    /// Creates a policy; the presets' audio bit rates are ignored.
    package init(presets: [QualityPreset] = [], encoder: String = Self.defaultEncoder) {
        self.presets = presets.map { preset in
            var preset = preset
            preset.audioBitRate = 0
            return preset
        }
        self.encoder = encoder
    }
}
