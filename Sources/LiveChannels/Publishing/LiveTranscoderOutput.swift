package import Codecs
package import MediaCore

/// The output of a transcoder, in order.
package enum LiveTranscoderOutput: Sendable {
    /// The codec, and the timescale of the units that follow. Sent before the first unit and whenever it changes.
    case configuration(CodecConfiguration, Timescale)
    case unit(AccessUnit)
    /// The unfinished work is lost, and the transcoder starts again: the output that follows begins with a
    /// configuration. The text is human-readable.
    case interrupted(String)
    /// The transcoder has failed, and nothing follows. The text is human-readable.
    case failed(String)
}
