package import HLSDelivery
package import HTTPEndpoints
import MediaCore

/// The metrics of requests: those that the router answers, and those for media.
package struct HTTPMetrics: Sendable {
    private let http: HTTPStatistics
    private let delivery: DeliveryStatistics

    /// - Parameters:
    ///   - http: what the router has measured.
    ///   - delivery: what the connections that deliver media have measured.
    package init(http: HTTPStatistics, delivery: DeliveryStatistics) { (self.http, self.delivery) = (http, delivery) }

    package var families: [MetricFamily] {
        [
            MetricFamily(
                name: "antena_http_request_duration_seconds",
                help: "Time from a request's head to its response's head, for all requests except those for media; "
                    + "bodies that follow, such as streams of events, are not included.",
                histograms: http.latencies.map { (["method": $0.method, "status": $0.status], $0.2) }),
            MetricFamily(
                name: "antena_media_delivery_duration_seconds",
                help: "Time from a request for media to the last byte of its response being given to the connection. "
                    + "The time for which a request waits for media that is not published yet is left out.",
                histograms: DeliveryKind.allCases.map { kind in
                    (["source": kind.source, "kind": kind.name], delivery.latency(of: kind).snapshot)
                }),
            MetricFamily(
                name: "antena_denials_total", help: "Requests refused with 401 or 403.", kind: .counter,
                samples: [("router", http.denials), ("media", delivery.denials)].flatMap { path, denials in
                    [("401", denials.unauthorized), ("403", denials.forbidden)].map { status, count in
                        MetricFamily.Sample(["path": path, "status": status], Double(count))
                    }
                }),
            MetricFamily(
                name: "antena_http_rate_limited_total",
                help: "Requests refused with 429, because their sender had sent too many.", kind: .counter,
                value: Double(http.rateLimitedCount)),
        ]
    }
}

extension DeliveryKind {
    fileprivate var source: String {
        switch self {
        case .livePlaylist, .livePart, .liveSegment: "live"
        case .titlePlaylist, .titleSegment: "title"
        }
    }

    fileprivate var name: String {
        switch self {
        case .livePlaylist, .titlePlaylist: "playlist"
        case .livePart: "part"
        case .liveSegment, .titleSegment: "segment"
        }
    }
}
