import Synchronization

/// The events of the club on this server since its start.
package final class ClubStatistics: Sendable {
    /// Why somebody did not get what they asked for.
    package enum Denial: String, Sendable, Hashable, CaseIterable {
        case rentalNeeded = "rental-needed"
        case rentalNotActivated = "rental-not-activated"
        case rentalOver = "rental-over"
        case tooManyPlayers = "too-many-players"
        case creditsNeeded = "credits-needed"
        case alreadyRented = "already-rented"
        case membersOnly = "members-only"
    }

    /// The outcome of a rental.
    package enum Event: String, Sendable, Hashable, CaseIterable {
        case rented, activated, expired, refunded
    }

    private struct Counts {
        var denials: [Denial: Int] = [:]
        var events: [Event: Int] = [:]
        var credits: [CreditReason: Int64] = [:]
    }

    private let counts = Mutex(Counts())

    package init() {}

    package func count(_ denial: Denial) -> Int { counts.withLock { $0.denials[denial] ?? 0 } }

    package func count(_ event: Event) -> Int { counts.withLock { $0.events[event] ?? 0 } }

    /// The credits that have moved for a reason, whichever way.
    package func credits(_ reason: CreditReason) -> Int64 { counts.withLock { $0.credits[reason] ?? 0 } }

    /// Counts somebody who did not get what they asked for.
    package func add(_ denial: Denial) { counts.withLock { $0.denials[denial, default: 0] += 1 } }

    func add(_ event: Event, _ count: Int = 1) { counts.withLock { $0.events[event, default: 0] += count } }

    func add(_ credits: Int64, _ reason: CreditReason) {
        counts.withLock { $0.credits[reason, default: 0] &+= credits }
    }
}
