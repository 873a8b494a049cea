package import LiveChannels
package import VODLibrary

extension LadderPreset {
    /// The rendition of a ladder with the quality of a preset.
    package init(_ preset: QualityPreset) {
        self.init(
            name: preset.name, width: preset.width, height: preset.height, frameRate: preset.frameRate,
            videoBitRate: preset.videoBitRate)
    }
}
