package import Codecs
package import MediaCore

/// A track of a push as RTSP readers get it: what the publisher sent, unchanged.
package struct LiveReaderTrack: Sendable, Hashable {
    package var track: Track
    /// `nil` while the parameter sets have not arrived, and for foreign codecs.
    package var configuration: CodecConfiguration?
    /// The codec if HLS does not carry it; `nil` otherwise.
    package var foreignCodec: ForeignCodec?

    package init(track: Track, configuration: CodecConfiguration?, foreignCodec: ForeignCodec? = nil) {
        self.track = track
        self.configuration = configuration
        self.foreignCodec = foreignCodec
    }
}
