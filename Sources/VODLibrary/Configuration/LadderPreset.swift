/// A quality in which titles may be offered, as the operator defines it.
package struct LadderPreset: Codable, Sendable, Hashable {
    package var name: String
    /// Width in pixels of the box that the video has to fit into; the box is turned for portrait video.
    package var width: Int
    package var height: Int
    package var frameRate: Double
    /// Bits per second.
    package var videoBitRate: Int

    package init(name: String, width: Int, height: Int, frameRate: Double, videoBitRate: Int) {
        self.name = name
        self.width = width
        self.height = height
        self.frameRate = frameRate
        self.videoBitRate = videoBitRate
    }
}
