package import MediaCore

/// An event as a referee sends it.
package struct NewMatchEvent: Sendable, Hashable {
    package enum Content: Sendable, Hashable {
        case action(MatchAction)
        /// Another action in place of that of an earlier entry, or none.
        case amendment(of: Int64, MatchAction?)
        /// The same, with the earlier event named by the ID that its sender made: a tablet without a network does not
        /// know the numbers that its own events will get.
        case amendmentOfEvent(id: String, MatchAction?)
        /// Leaves out the last action that counts.
        case undo
    }

    /// A name that the sender makes. An event that comes again with the same one is not a new one.
    package var id: String
    package var content: Content
    /// The time at which it happened; `nil` for now.
    package var time: WallClockTime?

    package init(id: String, _ content: Content, at time: WallClockTime? = nil) {
        (self.id, self.content, self.time) = (id, content, time)
    }

    /// Limit of an ID in characters.
    package static let maximumIDLength = 64
    /// Limit of the events that are delivered together: a whole match that was kept without a network.
    package static let maximumBatchCount = 1_000
    /// Limit of the amendments among them: each computes the match again.
    package static let maximumAmendmentCount = 20

    var isAmendment: Bool { if case .action = content { false } else { true } }
}
