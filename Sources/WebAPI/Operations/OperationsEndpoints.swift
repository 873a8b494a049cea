import APIContract
import Accounts
package import HTTPEndpoints
import HLSPlaylist
import HTTPTypes
import Hummingbird
import LiveChannels
package import MediaCore
import NIOCore
package import Workflows

/// The endpoints for monitoring: `/healthz`, `/readyz` and `/metrics`; and the clock for players, `/live/time`.
package struct OperationsEndpoints: Sendable {
    private let readiness: any ServerReadiness
    private let metrics: @Sendable () async -> [MetricFamily]
    private let clock: WallClock

    /// - Parameters:
    ///   - readiness: whether the server can serve.
    ///   - metrics: the metrics of all parts of the server. What the database does not tell at the moment is left out.
    ///   - clock: the time that players are told.
    package init(
        readiness: any ServerReadiness, metrics: @escaping @Sendable () async -> [MetricFamily],
        clock: WallClock = .system
    ) {
        (self.readiness, self.metrics, self.clock) = (readiness, metrics, clock)
    }

    package var endpoints: [Endpoint] {
        [
            Endpoint(.get, "/healthz", .open(reason: "load balancers ask whether the process answers")) { _, _ in
                Self.text("ok\n")
            },
            Endpoint(.get, "/readyz", .open(reason: "load balancers ask whether the server can serve")) { _, _ in
                if let reason = await readiness.unreadiness() { throw ProblemDetails(.serviceUnavailable, reason) }
                return Self.text("ready\n")
            },
            Endpoint(
                .get, "/\(LiveWindow.clockPath)", .open(reason: "players of DASH ask what time it is")
            ) { _, _ in
                Self.text(ProgramDateTime(millisecondsSince1970: clock.now().millisecondsSince1970).description)
            },
            Endpoint(.get, "/metrics", .metrics) { _, _ in
                Self.response(
                    MetricsText.render([Self.build] + (await metrics())),
                    type: "text/plain; version=0.0.4; charset=utf-8")
            }.forPrograms,
        ]
    }

    private static let build = MetricFamily(
        name: "antena_build_info", help: "The running version.", kind: .gauge,
        samples: [MetricFamily.Sample(["version": Product.version], 1)])

    private static func text(_ text: String) -> Response {
        response(ByteBuffer(string: text), type: "text/plain; charset=utf-8")
    }

    private static func response(_ text: ByteBuffer, type: String) -> Response {
        Response(
            status: .ok, headers: [.contentType: type, .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: text))
    }
}
