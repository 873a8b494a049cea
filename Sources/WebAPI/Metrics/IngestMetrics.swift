package import HTTPEndpoints
package import WebIngest

/// The metrics of browsers that publish.
package struct IngestMetrics: Sendable {
    private let statistics: IngestStatistics

    package init(statistics: IngestStatistics) { self.statistics = statistics }

    package var families: [MetricFamily] {
        [
            MetricFamily(
                name: "antena_ingest_connections", help: "Open connections of browsers that publish.", kind: .gauge,
                value: Double(statistics.connectionCount)),
            MetricFamily(
                name: "antena_ingest_publishers", help: "Browsers that publish.", kind: .gauge,
                value: Double(statistics.publisherCount)),
            MetricFamily(
                name: "antena_ingest_connections_accepted_total", help: "Connections of browsers accepted.",
                kind: .counter, value: Double(statistics.acceptedConnectionCount)),
            MetricFamily(
                name: "antena_ingest_refused_total", help: "Browsers refused.", kind: .counter,
                value: Double(statistics.refusedCount)),
            MetricFamily(
                name: "antena_ingest_logins_failed_total", help: "Browsers with wrong credentials.", kind: .counter,
                value: Double(statistics.failedLoginCount)),
        ]
    }
}
