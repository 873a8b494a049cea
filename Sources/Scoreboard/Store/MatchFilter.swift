package import Accounts
package import MediaCore

/// Which matches a list has.
package struct MatchFilter: Sendable, Hashable {
    package var channel: String?
    package var player: OpaqueID?
    package var competition: String?
    /// Only matches that ended on this day or later, and on this day or before, in UTC; `nil` without a limit.
    package var from, until: CivilDate?
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
