import HTTPTypes
package import Hummingbird
import MediaCore
package import NIOCore

/// Responses that are streams of server-sent events (HTML Standard §9.2).
package enum ServerSentEvents {
    /// The header in which a client that comes back names the last event it has seen.
    private static let lastEventID = HTTPField.Name("Last-Event-ID")
    /// The header that tells nginx not to buffer the response.
    private static let accelBuffering = HTTPField.Name("X-Accel-Buffering")
    /// Time after which a client comes back.
    private static let reconnectionDelay = Duration.seconds(2)

    /// The beginning of a stream.
    package static let beginning = "retry: \(reconnectionDelay.wholeMilliseconds)\n\n"
    /// The bytes that are sent when nothing has happened for a while.
    package static let heartbeat = ":\n\n"
    /// The event for a listener that has missed events that are gone. One that keeps a state of its own has to read it
    /// again.
    package static let missed = "event: missed\ndata: {}\n\n"

    /// An event with a line of data for each line of a text.
    package static func event(_ name: String, _ text: String) -> String {
        "event: \(name)\n" + text.split(separator: "\n").map { "data: \($0)\n" }.joined() + "\n"
    }

    /// The last event that a client has seen, as it names it; `nil` if it names none.
    package static func lastSeen(_ request: Request) -> String? { lastEventID.flatMap { request.headers[$0] } }

    /// The 503 for a client that cannot listen at the moment.
    package static func refusal(_ reason: String) -> ProblemDetails {
        var problem = ProblemDetails(.serviceUnavailable, reason)
        problem.headers[.retryAfter] = "10"
        return problem
    }

    /// The response that sends events.
    ///
    /// - Parameters:
    ///   - request: the request, whose connection is watched.
    ///   - channel: the channel of the request; a client that does not acknowledge heartbeats is disconnected.
    ///   - closesConnection: whether the connection ends with the response, or before it.
    ///   - end: ends the listening; called when the client disconnects, not at the next write.
    ///   - tell: writes the events until there are no more.
    package static func response(
        to request: Request, on channel: any Channel, closesConnection: Bool = false,
        end: @escaping @Sendable () -> Void,
        tell: @escaping @Sendable (inout any ResponseBodyWriter) async throws -> Void
    ) -> Response {
        var headers: HTTPFields = [.contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store"]
        if let accelBuffering { headers[accelBuffering] = "no" }
        if closesConnection { headers[.connection] = "close" }
        let body = ResponseBody { writer in
            await AcknowledgementTimeout.set(on: channel)
            try await request.body.consumeWithInboundCloseHandler { _ in
                try await tell(&writer)
            } onInboundClosed: {
                end()
            }
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: headers, body: body)
    }
}
