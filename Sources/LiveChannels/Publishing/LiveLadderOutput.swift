package import Codecs
package import MediaCore

/// The output of a ladder, in order. Qualities have the numbers of their presets.
package enum LiveLadderOutput: Sendable {
    /// The codec of the units that follow.
    case configuration(rung: Int, CodecConfiguration)
    case unit(rung: Int, AccessUnit)
    /// The quality is encoded from the next unit on, or no longer.
    case state(rung: Int, LiveRungState)
    /// No scoreboard is drawn. The text is human-readable.
    case boardMissing(String)
    /// The unfinished work is lost, and the ladder starts again. The text is human-readable.
    case interrupted(String)
    /// The ladder has failed, and nothing follows. The text is human-readable.
    case failed(String)
}
