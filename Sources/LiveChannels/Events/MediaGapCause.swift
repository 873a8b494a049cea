/// Why media is missing in a channel.
package enum MediaGapCause: String, Sendable, Hashable, CaseIterable {
    /// Nobody published for a while.
    case interruption
    /// Frames of the push are missing: they were lost, or never sent.
    case missingFrames = "missing-frames"
    /// The disk was too slow; players at the live edge have not missed anything.
    case archive
}
