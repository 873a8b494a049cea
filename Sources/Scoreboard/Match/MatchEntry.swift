package import MediaCore

/// An entry of a match's log. Entries are only ever added; the numbers ascend by one.
package struct MatchEntry: Sendable, Hashable {
    /// The content of an entry.
    package enum Content: Sendable, Hashable {
        case action(MatchAction)
        /// The action of an earlier entry is another one, or is left out (`nil`).
        case amendment(of: Int64, MatchAction?)
    }

    /// The number of the entry, from 1.
    package var sequence: Int64
    package var content: Content
    /// The time at which it happened, by the server's clock.
    package var time: WallClockTime

    package init(sequence: Int64, _ content: Content, at time: WallClockTime) {
        (self.sequence, self.content, self.time) = (sequence, content, time)
    }
}
