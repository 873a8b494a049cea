package import HTTPEndpoints
package import SRTServer

/// The metrics of SRT connections.
package struct SRTMetrics: Sendable {
    private let statistics: SRTServerStatistics

    package init(statistics: SRTServerStatistics) { self.statistics = statistics }

    package var families: [MetricFamily] {
        [
            .total(
                "antena_srt_connections_accepted_total", "SRT connections accepted.",
                statistics.acceptedConnectionCount),
            .totals(
                "antena_srt_connections_refused_total", "SRT connections refused before they were made, by reason.",
                statistics.refusedConnectionCounts.map { ($0.key, $0.value) }),
            .totals(
                "antena_srt_connections_closed_total", "SRT connections closed, by reason.",
                statistics.closedConnectionCounts.map { ($0.key.rawValue, $0.value) }),
            .gauge("antena_srt_publishers", "SRT connections that publish.", statistics.publisherCount),
            .gauge("antena_srt_readers", "SRT connections that read.", statistics.readerCount),
            .total(
                "antena_srt_reader_units_dropped_total", "Access units not sent to slow SRT readers.",
                statistics.droppedUnitCount),
            .total(
                "antena_srt_logins_failed_total", "SRT connections with wrong credentials.",
                statistics.failedLoginCount),
        ]
    }
}
