import MediaCore
import Synchronization

/// A place among those who listen, for somebody who does not get events by an ``EventListener``.
package final class EventListenerPlace: Sendable {
    private let journal: EventJournal
    private let client: AddressGroup
    private let hasEnded = Atomic(false)

    init(_ journal: EventJournal, _ client: AddressGroup) { (self.journal, self.client) = (journal, client) }

    /// Frees the place.
    package func end() {
        guard !hasEnded.exchange(true, ordering: .relaxed) else { return }
        journal.freePlace(of: client)
    }
}
