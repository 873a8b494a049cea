package import Codecs
package import MediaCore

/// Encodes the lower qualities of one push. Key frames are where the source has them.
package protocol LiveLadder: AnyObject, Sendable {
    /// Hands over a unit of the source, with times that the qualities keep. Never blocks.
    func send(_ unit: AccessUnit, _ configuration: CodecConfiguration)
    /// Says whether somebody watches.
    func setWatched(_ isWatched: Bool)
    /// Closes the ladder. Unfinished work is discarded.
    func close()
}
