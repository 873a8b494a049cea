package import HTTPEndpoints
package import WebIngest

/// The metrics of browsers that publish.
package struct IngestMetrics: Sendable {
    private let statistics: IngestStatistics

    package init(statistics: IngestStatistics) { self.statistics = statistics }

    package var families: [MetricFamily] {
        [
            .gauge(
                "antena_ingest_connections", "Open connections of browsers that publish.", statistics.connectionCount),
            .gauge("antena_ingest_publishers", "Browsers that publish.", statistics.publisherCount),
            .total(
                "antena_ingest_connections_accepted_total", "Connections of browsers accepted.",
                statistics.acceptedConnectionCount),
            .total("antena_ingest_refused_total", "Browsers refused.", statistics.refusedCount),
            .total(
                "antena_ingest_logins_failed_total", "Browsers with wrong credentials.", statistics.failedLoginCount),
        ]
    }
}
