package import MediaCore

/// The tracks of a movie file with their samples: everything that packaging needs besides the media bytes.
package struct MovieIndex: Sendable {
    package var tracks: [MovieTrack]
    /// Duration according to `mvhd`; tracks may end slightly before or after it.
    package var duration: MediaTime
    package var isFragmented: Bool
    /// Title from iTunes-style metadata (`udta`/`meta`/`ilst`/`©nam`); `nil` if there is none.
    package var title: String?
    /// The artist and the album of the same metadata (`©ART`, `©alb`); `nil` if there are none.
    package var artist, album: String?
    /// Reasons for omitting tracks whose media type could not be determined. Always empty under
    /// ``DamagedTrackPolicy/refuse``.
    package var unreadTracks: [String] = []

    /// Treatment of a movie that has a track with inconsistent boxes.
    package enum DamagedTrackPolicy: Sendable {
        /// Throws the track's error and rejects the movie; another reader may be able to use it.
        case refuse
        /// Reports the track as unsupported and reads the others.
        case leaveOut
    }

    /// Approximate memory use of the index in bytes.
    package var memoryByteCount: Int { tracks.reduce(0) { $0 + $1.samples.memoryByteCount } }
}
