package import HTTPEndpoints
package import RTMPServer
import StreamConnections

/// The metrics of RTMP connections.
package struct RTMPMetrics: Sendable {
    private let statistics: RTMPServerStatistics

    package init(statistics: RTMPServerStatistics) { self.statistics = statistics }

    package var families: [MetricFamily] {
        [
            .gauge("antena_rtmp_connections", "Open RTMP connections.", statistics.openConnectionCount),
            .total(
                "antena_rtmp_connections_accepted_total", "RTMP connections accepted.",
                statistics.acceptedConnectionCount),
            .totals(
                "antena_rtmp_connections_refused_total", "RTMP connections refused, by reason.",
                statistics.refusedConnectionCounts.map { ($0.key.rawValue, $0.value) }),
            .totals(
                "antena_rtmp_connections_closed_total", "RTMP connections closed, by reason.",
                statistics.closedConnectionCounts.map { ($0.key.rawValue, $0.value) }),
            .gauge("antena_rtmp_publishers", "RTMP connections that publish.", statistics.publisherCount),
            .gauge("antena_rtmp_players", "RTMP connections that play.", statistics.playerCount),
            .total(
                "antena_rtmp_player_units_dropped_total", "Access units not sent to slow RTMP players.",
                statistics.droppedUnitCount),
            .total(
                "antena_rtmp_logins_failed_total", "RTMP requests with wrong credentials.", statistics.failedLoginCount),
        ]
    }
}
