package import HTTPEndpoints
package import SRTServer

/// The metrics of SRT connections.
package struct SRTMetrics: Sendable {
    private let statistics: SRTServerStatistics

    package init(statistics: SRTServerStatistics) { self.statistics = statistics }

    package var families: [MetricFamily] {
        [
            total(
                "antena_srt_connections_accepted_total", "SRT connections accepted.",
                statistics.acceptedConnectionCount),
            counter(
                "antena_srt_connections_refused_total", "SRT connections refused before they were made, by reason.",
                statistics.refusedConnectionCounts.map { ($0.key, $0.value) }),
            counter(
                "antena_srt_connections_closed_total", "SRT connections closed, by reason.",
                statistics.closedConnectionCounts.map { ($0.key.rawValue, $0.value) }),
            gauge("antena_srt_publishers", "SRT connections that publish.", statistics.publisherCount),
            gauge("antena_srt_readers", "SRT connections that read.", statistics.readerCount),
            total(
                "antena_srt_reader_units_dropped_total", "Access units not sent to slow SRT readers.",
                statistics.droppedUnitCount),
            total(
                "antena_srt_logins_failed_total", "SRT connections with wrong credentials.",
                statistics.failedLoginCount),
        ]
    }

    private func gauge(_ name: String, _ help: String, _ value: Int) -> MetricFamily {
        MetricFamily(name: name, help: help, kind: .gauge, value: Double(value))
    }

    private func total(_ name: String, _ help: String, _ value: Int) -> MetricFamily {
        MetricFamily(name: name, help: help, kind: .counter, value: Double(value))
    }

    private func counter(_ name: String, _ help: String, _ counts: [(String, Int)]) -> MetricFamily {
        MetricFamily(
            name: name, help: help, kind: .counter,
            samples: counts.sorted { $0.0 < $1.0 }.map { MetricFamily.Sample(["reason": $0.0], Double($0.1)) })
    }
}
