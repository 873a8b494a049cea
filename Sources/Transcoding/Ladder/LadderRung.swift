/// One rendition of a title's video, as an encoder is to make it: what a preset comes to for one source, whose frame
/// size, frame rate and bit rate it never exceeds.
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
    /// The BANDWIDTH in bits per second below which the rendition has to stay with its audio; `nil` if it has no limit.
    package var bandwidthLimit: Int?
    /// How often the bit rate has been lowered because an encoder did not keep the limit; `nil` for never.
    package private(set) var loweringCount: Int?

    /// Creates a rendition; the parameters are the properties of the same names.
    package init(
        name: String, width: Int, height: Int, frameRate: Double, bitRate: Int, bandwidthLimit: Int? = nil
    ) {
        self.bandwidthLimit = bandwidthLimit
        self.name = name
        self.width = width
        self.height = height
        self.frameRate = frameRate
        self.bitRate = bitRate
    }

    /// The same rendition with fewer bits.
    package var lowered: LadderRung {
        var lowered = self
        lowered.bitRate = max(1, bitRate * 3 / 5)
        lowered.loweringCount = (loweringCount ?? 0) + 1
        return lowered
    }
}
