import CLibAV

/// A chunk of a source to be encoded, as described by its sample tables. All times are in ticks of `timescale`, on one
/// timeline with all other chunks of the source.
package struct LadderChunk: Sendable, Hashable {
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
