package import Codecs
package import MediaCore

/// A track of a push, as those who read the channel by RTSP get it: what the publisher sent, untouched.
package struct LiveReaderTrack: Sendable, Hashable {
    package var track: Track
    /// `nil` where the parameter sets have not come yet, and for foreign codecs.
    package var configuration: CodecConfiguration?
    /// Set where HLS does not carry the codec.
    package var foreignCodec: ForeignCodec?

    package init(track: Track, configuration: CodecConfiguration?, foreignCodec: ForeignCodec? = nil) {
        self.track = track
        self.configuration = configuration
        self.foreignCodec = foreignCodec
    }
}

/// One push, as its readers see it.
package struct LiveBroadcast: Sendable, Hashable {
    /// Unique within the channel while the program runs.
    package var identifier: Int
    package var tracks: [LiveReaderTrack]

    package init(identifier: Int, tracks: [LiveReaderTrack]) {
        self.identifier = identifier
        self.tracks = tracks
    }
}
