package import Events
package import HTTPEndpoints

/// The metrics of the journal of events.
package struct EventMetrics: Sendable {
    private let journal: EventJournal

    package init(journal: EventJournal) { self.journal = journal }

    package var families: [MetricFamily] {
        [
            MetricFamily(
                name: "antena_event_listeners", help: "Clients that listen to events.", kind: .gauge,
                value: Double(journal.listenerCount)),
            MetricFamily(
                name: "antena_events_queued", help: "Events that wait for the database.", kind: .gauge,
                value: Double(journal.queuedCount)),
            MetricFamily(
                name: "antena_events_dropped_total",
                help: "Events dropped because the database was unavailable.", kind: .counter,
                value: Double(journal.droppedCount)),
        ]
    }
}
