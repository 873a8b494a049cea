package import Database
package import HTTPEndpoints
import MediaCore

/// The metrics of the database.
package struct DatabaseMetrics: Sendable {
    private let statistics: DatabaseStatistics

    package init(statistics: DatabaseStatistics) { self.statistics = statistics }

    package var families: [MetricFamily] {
        [
            MetricFamily(
                name: "antena_database_call_duration_seconds",
                help: "Time of a call of the database, with the wait for a connection.",
                histograms: [
                    (["operation": "read"], statistics.reads.snapshot),
                    (["operation": "write"], statistics.writes.snapshot),
                ]),
            MetricFamily(
                name: "antena_database_failures_total",
                help: "Calls that failed because of the database, such as one that does not answer.", kind: .counter,
                value: Double(statistics.failureCount)),
        ]
    }
}
