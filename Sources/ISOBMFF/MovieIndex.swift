package import MediaCore

/// A movie file's tracks with their samples: all that packaging needs beside the media bytes themselves.
package struct MovieIndex: Sendable {
    package var tracks: [MovieTrack]
    /// From `mvhd`; tracks may end a little before or after it.
    package var duration: MediaTime
    package var isFragmented: Bool
    /// From iTunes-style metadata (`udta`/`meta`/`ilst`/`©nam`), if any.
    package var title: String?

    /// What the index costs in memory.
    package var memoryByteCount: Int { tracks.reduce(0) { $0 + $1.samples.memoryByteCount } }
}
