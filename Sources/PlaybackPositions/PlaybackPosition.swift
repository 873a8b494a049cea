package import MediaCore

/// The place up to which a member has watched or heard something.
package struct PlaybackPosition: Sendable, Hashable {
    /// The kind of a thing with positions. Live programmes have none.
    package enum Kind: String, Sendable, Hashable, CaseIterable { case title, video, track }

    /// The position in the list: the later it was written, the higher.
    package var number: Int64
    package var kind: Kind
    /// The ID of the title, the published video or the track.
    package var item: String
    /// The time from the beginning.
    package var position: Duration
    /// The length of the whole.
    package var duration: Duration
    package var writtenAt: WallClockTime

    /// True from 95 % of the length on: there is nothing to continue with.
    package var isFinished: Bool { position >= duration * Self.finishedShare }

    /// Positions before this one are not kept.
    package static let least = Duration.seconds(30)
    package static let finishedShare = 0.95
    /// Limit of a member's positions; the oldest ones make room.
    package static let maximumCount = 1_000
    /// The time for which a position is kept.
    package static let lifetime = Duration.seconds(365 * 86_400)
    /// Limit of a length, longer than any film or recording.
    package static let maximumDuration = Duration.seconds(7 * 86_400)
    /// Limit of an ID in bytes.
    package static let maximumItemByteCount = 256
}
