import APIContract
import Accounts
import Database
import Events
import HTTPEndpoints
import LogMetadata
import Logging
import WebAPI
import ServiceLifecycle
import Webhooks
import Workflows

/// The journal of events, and those who listen to it.
struct EventFeature: Feature {
    static let schemas = [EventSchema.schema]

    private let journal: EventJournal
    private let kinds: EventKinds
    private let station: Station

    static func open(on ground: Ground, _ parts: inout Parts) async throws {
        parts.add(
            try await EventJournal.open(
                ground.database, program: Product.version, copies: ground.stateCopies,
                wallClock: ground.wallClock, logger: ground.logger))
    }

    init?(_ station: Station) {
        guard let journal = station.parts[EventJournal.self], let kinds = station.parts[EventKinds.self] else {
            return nil
        }
        (self.journal, self.kinds, self.station) = (journal, kinds, station)
    }

    var endpoints: [Endpoint] {
        EventEndpoints(
            journal: journal, kinds: kinds, authority: station.authority,
            crowd: station.parts[EventCrowd.self]
        ).endpoints
    }

    func services(on ground: Ground) -> [any Service] {
        guard let accounts = station.authority.accounts else { return [] }
        return [
            EventService(
                journal: journal, crowd: station.parts[EventCrowd.self], library: station.content.library,
                accounts: accounts,
                changes: ground.changes, logger: ground.logger),
            SweepService(every: .seconds(3_600), while: ground.steadiness, journal.maintain) { error in
                ground.logger.warning("old events could not be deleted; will retry", metadata: [.error: "\(error)"])
            },
        ]
    }

    func metrics() async -> [MetricFamily] { EventMetrics(journal: journal).families }

    /// The ends of pushes and recordings.
    func finish() async throws { await journal.flush() }
}
