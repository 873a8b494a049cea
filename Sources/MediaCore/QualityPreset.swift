/// A named quality: what a broadcaster promises to push, and what a title's ladder offers.
///
/// It is one type for the server's configuration, its API and the broadcaster. What an encoder makes of it for one
/// source has types of its own, because a source may be smaller, upright or slower.
package struct QualityPreset: Codable, Sendable, Hashable {
    /// The name in configuration, API and `?preset=`.
    package var name: String
    /// Width in pixels of the box that the video fits into.
    package var width: Int
    /// Height in pixels of the box that the video fits into.
    package var height: Int
    /// Frames per second.
    package var frameRate: Double
    /// Bits per second.
    package var videoBitRate: Int
    /// Bits per second.
    package var audioBitRate: Int

    /// The names in the API's JSON.
    private enum CodingKeys: String, CodingKey {
        case name, width, height, frameRate
        case videoBitRate = "videoBitrate"
        case audioBitRate = "audioBitrate"
    }

    /// Creates a preset; the parameters are the properties of the same names.
    package init(name: String, width: Int, height: Int, frameRate: Double, videoBitRate: Int, audioBitRate: Int) {
        self.name = name
        self.width = width
        self.height = height
        self.frameRate = frameRate
        self.videoBitRate = videoBitRate
        self.audioBitRate = audioBitRate
    }

    /// The presets of the `channels.json` that Antena ships with, for a broadcaster whose server cannot be asked.
    package static let shipped = [
        QualityPreset(
            name: "low", width: 426, height: 240, frameRate: 24, videoBitRate: 400_000, audioBitRate: 64_000),
        QualityPreset(
            name: "medium", width: 854, height: 480, frameRate: 30, videoBitRate: 1_200_000, audioBitRate: 96_000),
        QualityPreset(
            name: "high", width: 1_280, height: 720, frameRate: 30, videoBitRate: 2_500_000, audioBitRate: 128_000),
        QualityPreset(
            name: "full", width: 1_920, height: 1_080, frameRate: 30, videoBitRate: 5_000_000, audioBitRate: 160_000),
    ]
}
