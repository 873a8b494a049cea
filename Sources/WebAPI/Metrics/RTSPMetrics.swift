package import HTTPEndpoints
import RTSPProtocol
package import RTSPServer
import StreamConnections

/// The Prometheus metrics of the RTSP server.
package struct RTSPMetrics: Sendable {
    private let statistics: RTSPServerStatistics

    package init(statistics: RTSPServerStatistics) {
        self.statistics = statistics
    }

    package var families: [MetricFamily] {
        [
            MetricFamily(
                name: "antena_rtsp_connections", help: "Open RTSP connections.", kind: .gauge,
                value: Double(statistics.openConnectionCount)),
            MetricFamily(
                name: "antena_rtsp_connections_accepted_total", help: "RTSP connections accepted.", kind: .counter,
                value: Double(statistics.acceptedConnectionCount)),
            counter(
                "antena_rtsp_connections_refused_total", "RTSP connections refused, by reason.", label: "reason",
                statistics.refusedConnectionCounts.map { ($0.key.rawValue, $0.value) }),
            counter(
                "antena_rtsp_connections_closed_total", "RTSP connections closed, by reason.", label: "reason",
                statistics.closedConnectionCounts.map { ($0.key.rawValue, $0.value) }),
            counter(
                "antena_rtsp_requests_refused_total", "RTSP requests refused, by status.", label: "status",
                statistics.refusedRequestCounts.map { ("\($0.key)", $0.value) }),
            MetricFamily(
                name: "antena_rtsp_readers", help: "RTSP readers that are playing.", kind: .gauge,
                value: Double(statistics.playingSessionCount)),
            MetricFamily(
                name: "antena_rtsp_slow_readers_total", help: "Readers dropped because they did not keep up.",
                kind: .counter, value: Double(statistics.slowReaderCount)),
            MetricFamily(
                name: "antena_rtsp_reader_units_dropped_total",
                help: "Access units not sent to slow RTSP readers.", kind: .counter,
                value: Double(statistics.droppedUnitCount)),
            MetricFamily(
                name: "antena_rtsp_logins_failed_total", help: "RTSP requests with wrong credentials.", kind: .counter,
                value: Double(statistics.failedLoginCount)),
            counter(
                "antena_rtp_packets_dropped_total", "RTP packets dropped, by reason.", label: "reason",
                [
                    ("ignored", statistics.ignoredPacketCount), ("malformed", statistics.malformedPacketCount),
                    ("lost", statistics.lostPacketCount), ("foreign", statistics.foreignDatagramCount),
                ]),
        ]
    }

    private func counter(_ name: String, _ help: String, label: String, _ counts: [(String, Int)]) -> MetricFamily {
        MetricFamily(
            name: name, help: help, kind: .counter,
            samples: counts.sorted { $0.0 < $1.0 }.map { MetricFamily.Sample([label: $0.0], Double($0.1)) })
    }
}
