package import Accounts
package import MediaCore

/// A title that somebody has published.
package struct Video: Sendable, Hashable, Identifiable {
    /// Rises with each publication.
    var number: Int64
    /// The name in addresses, which nobody can guess.
    package var id: OpaqueID
    /// The ID of the title that plays.
    package var title: String
    /// The account that has published it; `nil` for the station.
    package var owner: UserID?
    /// The username of the owner; `nil` if the owner's profile is hidden.
    package var ownerName: String?
    package var name: String
    package var text: String
    package var tags: [String]
    /// The competition that it is from; `nil` for none.
    package var competition: OpaqueID?
    package var competitionName: String?
    /// The day of the competition, from 1; `nil` for none.
    package var day: Int?
    package var place: GeographicPoint?
    package var visibility: VideoVisibility
    package var commentPolicy: CommentPolicy
    package var state: VideoState
    package var publishedAt: WallClockTime
    package var changedAt: WallClockTime
    /// Rises with each change.
    package var revision: Int64
    package var counts: VideoCounts
    /// Whether its title has a poster.
    package var hasPoster: Bool
    /// Whether the reader likes it.
    package var isLiked: Bool

    /// Whether lists show it, once its title plays.
    package var isListed: Bool { visibility == .public && state == .shown }
}
