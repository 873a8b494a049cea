package import Accounts

/// A video on the map of a competition.
package struct MapPoint: Sendable, Hashable {
    package let video: OpaqueID
    package let name: String
    package let place: GeographicPoint

    /// Limit of the videos on a map; the newest ones are shown.
    package static let maximumCount = 500
}
