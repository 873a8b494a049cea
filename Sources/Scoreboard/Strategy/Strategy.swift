package import Accounts
package import MediaCore

/// A drawing that a member has saved under a name.
package struct Strategy: Sendable, Hashable {
    /// Limit of the drawings of a member.
    package static let maximumCount = 100
    /// Limit of a name in Unicode scalars.
    package static let maximumNameLength = 80

    package let id: OpaqueID
    var number: Int64
    package var name: String
    package var court: StrategyCourt
    package var strokeCount: Int
    package var changedAt: WallClockTime
    /// Rises with each change.
    package var revision: Int64

    /// Members of a drawing that are changed; the others stay.
    package struct Change: Sendable {
        package var name: String?
        package var court: StrategyCourt?
        package var strokes: [StrategyStroke]?

        package init() {}
    }
}
