package import Accounts
package import MediaCore

/// A decision of moderators about a member or a member's publication.
package struct ModerationRecord: Sendable, Hashable {
    package enum Event: String, Sendable, Hashable, CaseIterable {
        case restored, hidden, deleted, warned, suspended
    }

    var number: Int64
    package var event: Event
    /// The kind of the item.
    package var kind: ReportedKind
    package var subject: OpaqueID
    /// The text for the member; may be empty.
    package var text: String
    /// The username of the moderator; not for the member.
    package var moderator: String
    package var happenedAt: WallClockTime

    /// Limit of the records that moderators see with an item.
    package static let maximumListedCount = 20
}

extension ModerationRecord.Event {
    init(_ decision: ModerationDecision) {
        self =
            switch decision {
            case .restored: .restored
            case .hidden: .hidden
            case .deleted: .deleted
            }
    }
}
