package import MediaCore

/// A movie file's tracks with their samples: all that packaging needs beside the media bytes themselves.
package struct MovieIndex: Sendable {
    package var tracks: [MovieTrack]
    /// From `mvhd`; tracks may end a little before or after it.
    package var duration: MediaTime
    package var isFragmented: Bool
    /// From iTunes-style metadata (`udta`/`meta`/`ilst`/`©nam`), if any.
    package var title: String?
    /// Why tracks of unknown kind are missing, for people; empty unless damaged tracks were to be left out.
    package var unreadTracks: [String] = []

    /// What becomes of a movie with a track whose boxes contradict themselves.
    package enum DamagedTrackPolicy: Sendable {
        /// The movie is refused with the track's error: another reader may make more of it.
        case refuse
        /// The track is described as unsupported, and the others are read.
        case leaveOut
    }

    /// What the index costs in memory.
    package var memoryByteCount: Int { tracks.reduce(0) { $0 + $1.samples.memoryByteCount } }
}
