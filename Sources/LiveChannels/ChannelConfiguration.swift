package import Packaging

/// A quality that a broadcaster promises and an operator sees kept or broken.
package struct QualityPreset: Sendable, Hashable {
    package var name: String
    package var width: Int
    package var height: Int
    package var frameRate: Double
    /// Bits a second.
    package var videoBitRate: Int
    /// Bits a second.
    package var audioBitRate: Int

    package init(name: String, width: Int, height: Int, frameRate: Double, videoBitRate: Int, audioBitRate: Int) {
        self.name = name
        self.width = width
        self.height = height
        self.frameRate = frameRate
        self.videoBitRate = videoBitRate
        self.audioBitRate = audioBitRate
    }
}

/// A channel as `channels.json` describes it.
package struct ChannelConfiguration: Sendable, Hashable {
    /// In URLs: `/live/{name}.stream`.
    package var name: String
    /// For people.
    package var title: String
    /// The preset of a publisher that names none.
    package var defaultPreset: String
    /// Those that a publisher may name, the default among them.
    package var presets: [QualityPreset]
    package var packaging: LivePackagingConfiguration
    package var targetDuration: TargetDurationPolicy
    package var publishing: PublishingPolicy
    package var onLoss: LossPolicy
    package var archive: ArchivePolicy

    package init(
        name: String, title: String, defaultPreset: String, presets: [QualityPreset],
        packaging: LivePackagingConfiguration = LivePackagingConfiguration(),
        targetDuration: TargetDurationPolicy = .configured, publishing: PublishingPolicy = PublishingPolicy(),
        onLoss: LossPolicy = LossPolicy(), archive: ArchivePolicy = ArchivePolicy()
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
    }

    /// What the channel's slate shows.
    var slateDesign: SlateDesign { SlateDesign(file: onLoss.slateFile, title: title) }

    /// The preset that holds for a publisher that names `name`, or none; `nil` where the channel does not have it.
    func preset(named name: String?) -> QualityPreset? { presets.first { $0.name == name ?? defaultPreset } }
}
