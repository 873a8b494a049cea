package import MediaCore

/// A unit of a push with its track.
package struct LiveUnit: Sendable {
    package var unit: AccessUnit
    /// The track's position in the broadcast.
    package var trackIndex: Int
}
