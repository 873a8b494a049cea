package import Codecs
package import MediaCore

/// The parameters of a track, as far as they have come.
package struct PushedTrack: Sendable, Hashable {
    package var timescale: Timescale
    /// `nil` before the parameters have come, and for foreign codecs.
    package var configuration: CodecConfiguration?
    /// The codec if HLS does not carry it; `nil` otherwise.
    package var foreignCodec: ForeignCodec?

    package init(timescale: Timescale, configuration: CodecConfiguration?, foreignCodec: ForeignCodec? = nil) {
        self.timescale = timescale
        self.configuration = configuration
        self.foreignCodec = foreignCodec
    }

    /// Whether the parameters are known.
    package var isReady: Bool { configuration != nil || foreignCodec != nil }
}
