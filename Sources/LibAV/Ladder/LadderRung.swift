import CLibAV

/// One quality of a title's picture, as an encoder is to make it.
package struct LadderRung: Codable, Sendable, Hashable {
    /// Stands in URLs and file names.
    package var name: String
    /// Of the upright picture, with square pixels; even.
    package var width: Int
    package var height: Int
    /// Pictures a second at most; those that are closer together are left out.
    package var frameRate: Double
    /// Bits a second, on average.
    package var bitRate: Int

    package init(name: String, width: Int, height: Int, frameRate: Double, bitRate: Int) {
        self.name = name
        self.width = width
        self.height = height
        self.frameRate = frameRate
        self.bitRate = bitRate
    }
}

/// What a source's sample tables say of the pictures to be encoded. All times are in ticks of `timescale`, on one
/// timeline with all other stretches of the source.
package struct LadderStretch: Sendable, Hashable {
    package var timescale: Int32
    /// Where groups of pictures begin, first to last; the first is where the stretch does.
    package var groupStarts: [Int64]
    /// The first time that belongs to the next stretch; `nil` where there is none.
    package var end: Int64?

    package init(timescale: Int32, groupStarts: [Int64], end: Int64?) {
        self.timescale = timescale
        self.groupStarts = groupStarts
        self.end = end
    }

    var start: Int64 { groupStarts.first ?? 0 }
    var timeBase: AVRational { AVRational(num: 1, den: timescale) }
}
