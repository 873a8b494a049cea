package import Accounts

/// Which matches a list has.
package struct MatchFilter: Sendable, Hashable {
    package var channel: String?
    package var player: OpaqueID?
    package var competition: String?
    /// Limit of ``ids``.
    package static let maximumIDCount = 100

    /// Only these matches; `nil` for all.
    package var ids: [OpaqueID]?
    /// Only matches that have ended with a result.
    package var onlyResults = false
    /// Only matches that have not ended.
    package var onlyOpen = false

    package init() {}
}
