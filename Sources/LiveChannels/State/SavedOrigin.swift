package import MediaCore

/// The beginning of a time without a discontinuity, as it is kept across a restart.
package struct SavedOrigin: Sendable, Hashable, Codable {
    package var rendition: String
    /// The publishing epoch of its first segment.
    package var epoch: String
    package var initializationNumber: Int
    package var mediaSequence: Int
    /// The date of the first segment.
    package var date: WallClockTime
    /// The time at which its first frame is presented, in ticks.
    package var start: Int64
    /// Ticks per second.
    package var timescale: UInt32

    /// Limit on the beginnings that are kept for a channel.
    package static let maximumCount = 128
}
