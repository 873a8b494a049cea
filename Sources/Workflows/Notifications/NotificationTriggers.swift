package import Events
import MediaCore
package import Notifications
package import VideoClub

/// The triggers of notifications besides the deeds of members: channels that have gone live, and rentals that are about
/// to end.
package struct NotificationTriggers: Sendable {
    private let notifications: Notifications
    private let journal: EventJournal
    private let club: VideoClub
    private let liveType: EventType
    private let channelTitle: @Sendable (String) -> String?

    /// Number of events without a live channel after which the position is written.
    private static let unwrittenCount: Int64 = 100
    private static let rentalCount = 500

    /// - Parameters:
    ///   - notifications: notes them.
    ///   - journal: has the events of channels.
    ///   - club: knows the rentals.
    ///   - liveType: the event of a channel that has gone live.
    ///   - channelTitle: the title of a channel by its name; `nil` for a channel that this server does not have.
    package init(
        _ notifications: Notifications, journal: EventJournal, club: VideoClub, liveType: EventType,
        channelTitle: @escaping @Sendable (String) -> String?
    ) {
        (self.notifications, self.journal, self.club) = (notifications, journal, club)
        (self.liveType, self.channelTitle) = (liveType, channelTitle)
    }

    /// Notes channels that have gone live since the last call, of which the database knows the position in the journal.
    ///
    /// - Throws: `SQLError`
    package func noteLiveChannels() async throws {
        let last = journal.lastNumber
        guard var position = try await notifications.journalPosition() else {
            // What was before the first start is not news.
            return try await notifications.note([], through: last)
        }
        while position < last {
            let events = try await journal.missed(after: position, through: last).events
            let reached = events.last?.number ?? last
            let live = events.filter { $0.type == liveType }.map { event in
                (channel: event.subject.name, title: channelTitle(event.subject.name), number: event.number)
            }
            // A position that is a few events behind costs a look at these events after a start.
            if !live.isEmpty || reached - position >= Self.unwrittenCount || reached < last {
                try await notifications.note(live, through: reached)
            }
            position = reached
        }
    }

    /// Notes rentals that are about to end. Each is told once, however often it is noted.
    ///
    /// - Throws: `SQLError`
    package func noteRentals() async throws {
        var last: Rental?
        repeat {
            let rentals = try await club.rentals(
                endingWithin: notifications.settings.timeBeforeRentalEnds, after: last, limit: Self.rentalCount)
            try await notifications.note(
                rentals.compactMap { rental in
                    rental.user.map {
                        EndingRental(id: rental.id, renter: $0, title: rental.titleID, name: rental.titleName)
                    }
                })
            last = rentals.count == Self.rentalCount ? rentals.last : nil
        } while last != nil && !Task.isCancelled
    }
}
