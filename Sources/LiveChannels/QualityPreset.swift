import Packaging

/// A quality that a broadcaster promises. The channel's status says whether the push keeps it.
package struct QualityPreset: Sendable, Hashable {
    /// The name in configuration, API and `?preset=`.
    package var name: String
    /// Pixels.
    package var width: Int
    /// Pixels.
    package var height: Int
    /// Frames per second.
    package var frameRate: Double
    /// Bits per second.
    package var videoBitRate: Int
    /// Bits per second.
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
