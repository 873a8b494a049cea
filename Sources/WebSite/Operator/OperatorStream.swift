import HTTPEndpoints
import Hummingbird
import NIOCore
import ServiceLifecycle

/// Server-sent events for an operator's page, looked for at an interval.
struct OperatorStream: Sendable {
    private let interval: Duration
    private let refusal: String
    private let listeners = ListenerLimit(32)

    /// The time after which somebody's permission is asked for again, by a new request.
    private static let lifetime = Duration.seconds(1_800)

    /// - Parameters:
    ///   - interval: the time between two looks.
    ///   - refusal: the words for a page beyond the limit.
    init(every interval: Duration, refusal: String) { (self.interval, self.refusal) = (interval, refusal) }

    /// The response to a page that listens.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - context: who the operator is.
    ///   - start: the state of the stream before its first look.
    ///   - look: the events since the last look, which the state tells; empty if nothing has happened.
    /// - Throws: `ProblemDetails` with 503 if too many pages listen.
    func response<State: Sendable>(
        to request: Request, _ context: GatewayRequestContext, from start: State,
        look: @escaping @Sendable (inout State) async throws -> [ByteBuffer]
    ) throws -> Response {
        guard let place = listeners.enter() else { throw ServerSentEvents.refusal(refusal) }
        let (ticks, end) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        return ServerSentEvents.response(to: request, on: context.channel, end: { end.finish() }) { [interval] writer in
            defer { withExtendedLifetime(place) {} }
            try await writer.write(ByteBuffer(string: ServerSentEvents.beginning))
            try await withThrowingTaskGroup { group in
                group.addTask {
                    for _ in 0..<Int(Self.lifetime / interval) {
                        end.yield()
                        try await Task.sleep(for: interval)
                    }
                    end.finish()
                }
                var state = start
                for await _ in ticks.cancelOnGracefulShutdown() {
                    let events = try await look(&state)
                    for event in events { try await writer.write(event) }
                    if events.isEmpty { try await writer.write(ByteBuffer(string: ServerSentEvents.heartbeat)) }
                }
                group.cancelAll()
            }
        }
    }
}
