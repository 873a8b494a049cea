package import Events
package import HTTPEndpoints

/// The metrics of the journal of events.
package struct EventMetrics: Sendable {
    private let journal: EventJournal

    package init(journal: EventJournal) { self.journal = journal }

    package var families: [MetricFamily] {
        [
            .gauge("antena_event_listeners", "Clients that listen to events.", journal.listenerCount),
            .gauge("antena_events_queued", "Events that wait for the database.", journal.queuedCount),
            .total(
                "antena_events_dropped_total", "Events dropped because the database was unavailable.",
                journal.droppedCount),
        ]
    }
}
