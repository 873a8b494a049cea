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
            .gauge(
                "antena_rtsp_connections", "Open RTSP connections.",
                statistics.openConnectionCount),
            .total(
                "antena_rtsp_connections_accepted_total", "RTSP connections accepted.",
                statistics.acceptedConnectionCount),
            .totals(
                "antena_rtsp_connections_refused_total", "RTSP connections refused, by reason.",
                statistics.refusedConnectionCounts.map { ($0.key.rawValue, $0.value) }),
            .totals(
                "antena_rtsp_connections_closed_total", "RTSP connections closed, by reason.",
                statistics.closedConnectionCounts.map { ($0.key.rawValue, $0.value) }),
            .totals(
                "antena_rtsp_requests_refused_total", "RTSP requests refused, by status.", by: "status",
                statistics.refusedRequestCounts.map { ("\($0.key)", $0.value) }),
            .gauge(
                "antena_rtsp_readers", "RTSP readers that are playing.",
                statistics.playingSessionCount),
            .total(
                "antena_rtsp_slow_readers_total", "Readers dropped because they did not keep up.",
                statistics.slowReaderCount),
            .total(
                "antena_rtsp_reader_units_dropped_total", "Access units not sent to slow RTSP readers.",
                statistics.droppedUnitCount),
            .total(
                "antena_rtsp_logins_failed_total", "RTSP requests with wrong credentials.",
                statistics.failedLoginCount),
            .totals(
                "antena_rtp_packets_dropped_total", "RTP packets dropped, by reason.",
                [
                    ("ignored", statistics.ignoredPacketCount), ("malformed", statistics.malformedPacketCount),
                    ("lost", statistics.lostPacketCount), ("foreign", statistics.foreignDatagramCount),
                ]),
        ]
    }
}
