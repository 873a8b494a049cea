package import BoardDrawing
package import Codecs
package import MediaCore

/// Encodes the lower qualities of one push. Key frames are where the source has them.
package protocol LiveLadder: AnyObject, Sendable {
    /// Hands over a unit of the source, with times that the qualities keep. Never blocks.
    func send(_ unit: AccessUnit, _ configuration: CodecConfiguration)
    /// Says whether somebody watches.
    func setWatched(_ isWatched: Bool)
    /// Sets the states of the scoreboard that is drawn into a quality, oldest first, in place of all former ones.
    func show(_ boards: [DatedBoard])
    /// Sets the date of the frame with a presentation time, from which those of the following units are counted.
    func setDate(_ date: WallClockTime, at time: Int64)
    /// Closes the ladder. Unfinished work is discarded.
    func close()
}
