package import MediaCore
package import Packaging

/// A channel as `channels.json` describes it.
package struct ChannelConfiguration: Sendable, Hashable {
    /// The name used in URLs: `/live/{name}.stream`.
    package var name: String
    /// The human-readable title.
    package var title: String
    /// A description of the channel; `nil` for none.
    package var summary: String?
    /// Its image; `nil` if there is none.
    package var cover: ChannelCover?
    /// The address of a page about it, with `https` or `http`; `nil` if there is none.
    package var website: String?
    /// The artist, and the programme or collection; `nil` for none.
    package var artist: String?
    package var album: String?
    /// The name of the preset for publishers that name none.
    package var defaultPreset: String
    /// The presets that a publisher may name, including the default.
    package var presets: [QualityPreset]
    package var packaging: LivePackagingConfiguration
    package var targetDuration: TargetDurationPolicy
    package var publishing: PublishingPolicy
    package var onLoss: LossPolicy
    package var archive: ArchivePolicy
    package var srt = SRTPolicy()
    /// Whether players get Opus only, as it was sent. Otherwise they get AAC, because many know nothing else, unless
    /// they choose Opus.
    package var keepsOpus = false
    package var relays = RelayPolicy()
    /// The time from the capture of a frame to its arrival, for publishers that do not say when they captured it.
    package var captureDelay = Duration.zero
    /// The presets of the qualities that are made of the video, the largest first; empty for none.
    package var ladder: [QualityPreset] = []
    /// libav's name of their encoder.
    package var ladderEncoder = "libx264"
    /// The preset of a quality with the scoreboard in the picture, which players get only if they ask for it; `nil` for
    /// none.
    package var scoreboardPreset: QualityPreset?
    /// The language of the words on that board, a tag such as `es`.
    package var scoreboardLanguage = "en"
    /// Whether they are made only while somebody watches.
    package var isLadderOnDemand = false

    package init(
        name: String, title: String, defaultPreset: String, presets: [QualityPreset],
        packaging: LivePackagingConfiguration = LivePackagingConfiguration(),
        targetDuration: TargetDurationPolicy = .configured, publishing: PublishingPolicy = PublishingPolicy(),
        onLoss: LossPolicy = LossPolicy(), archive: ArchivePolicy = ArchivePolicy(), summary: String? = nil,
        cover: ChannelCover? = nil, website: String? = nil
    ) {
        self.name = name
        self.title = title
        self.defaultPreset = defaultPreset
        self.presets = presets
        self.packaging = packaging
        self.targetDuration = targetDuration
        self.publishing = publishing
        self.onLoss = onLoss
        self.archive = archive
        (self.summary, self.cover, self.website) = (summary, cover, website)
    }

    /// The content of the channel's slate.
    var slateDesign: SlateDesign { SlateDesign(file: onLoss.slateFile, title: title) }

    /// The preset for a publisher that names `name`, or the default if `name` is `nil`; `nil` if the channel does not
    /// have it.
    func preset(named name: String?) -> QualityPreset? { presets.first { $0.name == name ?? defaultPreset } }
}
