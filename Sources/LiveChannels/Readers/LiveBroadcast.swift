import Codecs

/// A push as its readers see it.
package struct LiveBroadcast: Sendable, Hashable {
    /// Unique within the channel while the server runs.
    package var identifier: Int
    package var tracks: [LiveReaderTrack]

    package init(identifier: Int, tracks: [LiveReaderTrack]) {
        self.identifier = identifier
        self.tracks = tracks
    }
}
