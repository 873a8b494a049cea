import CLibAV

/// One rendition of a title's video, as an encoder is to make it.
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

/// A chunk of a source to be encoded, as described by its sample tables. All times are in ticks of `timescale`, on one
/// timeline with all other chunks of the source.
package struct LadderStretch: Sendable, Hashable {
    /// Ticks per second.
    package var timescale: Int32
    /// The starts of the GOPs in ascending order; the first one is the start of the chunk.
    package var groupStarts: [Int64]
    /// The start of the next chunk; `nil` if there is none.
    package var end: Int64?

    /// Creates a chunk; the parameters are the properties of the same names.
    package init(timescale: Int32, groupStarts: [Int64], end: Int64?) {
        self.timescale = timescale
        self.groupStarts = groupStarts
        self.end = end
    }

    /// The start of the chunk, in ticks.
    var start: Int64 { groupStarts.first ?? 0 }
    var timeBase: AVRational { AVRational(num: 1, den: timescale) }
}
