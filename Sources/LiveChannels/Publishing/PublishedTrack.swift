package import Codecs
package import MediaCore

/// A track that a publisher has announced.
package struct PublishedTrack: Sendable {
    /// The track. Its `id` is its position in the announcement.
    package var track: Track
    /// `nil` if the parameter sets come in band, and for foreign codecs.
    package var configuration: CodecConfiguration?
    /// The codec if HLS does not carry it; viewers then get the track transcoded. `nil` otherwise.
    package var foreignCodec: ForeignCodec?

    package init(track: Track, configuration: CodecConfiguration?, foreignCodec: ForeignCodec? = nil) {
        self.track = track
        self.configuration = configuration
        self.foreignCodec = foreignCodec
    }
}
