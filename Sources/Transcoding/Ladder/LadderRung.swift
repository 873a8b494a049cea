/// One rendition of a title's video, as an encoder is to make it: what a preset comes to for one source, whose frame size,
/// frame rate and bit rate it never exceeds.
package struct LadderRung: Codable, Sendable, Hashable {
    /// The name in URLs and file names.
    package var name: String
    /// The width of the upright frames, with square pixels; even.
    package var width: Int
    /// The height of the upright frames, with square pixels; even.
    package var height: Int
    /// The maximum number of frames per second; frames that are closer together are dropped.
    package var frameRate: Double
    /// The average bit rate in bits per second.
    package var bitRate: Int

    /// Creates a rendition; the parameters are the properties of the same names.
    package init(name: String, width: Int, height: Int, frameRate: Double, bitRate: Int) {
        self.name = name
        self.width = width
        self.height = height
        self.frameRate = frameRate
        self.bitRate = bitRate
    }
}
