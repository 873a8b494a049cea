import Accounts
import Catalogue
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import JSONDocument
import JobRunning
import LibraryCore
import MediaCore
import NIOCore
import ServiceLifecycle
import VODLibrary

/// `/api/v1/jobs…`: the jobs that are running, queued or have ended.
struct JobEndpoints: Sendable {
    let content: any ContentSource

    private var library: any LibraryOperations { content.library }
    /// Limit of a request's body, enough for `{"priority": 10}`.
    static let maximumBodyByteCount = 1_024

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, "/api/v1/jobs", .jobs) { request, _ in try await jobs(request) },
            Endpoint(.get, "/api/v1/jobs/events", .jobs) { request, context in
                try await events(request, context)
            },
            Endpoint(.get, "/api/v1/jobs/{id}", .jobs) { _, context in
                try await answer(context) { try await library.job(number: $0) }
            },
            Endpoint(.patch, "/api/v1/jobs/{id}", .needs(.manage, .library)) { request, context in
                try await prioritize(request, context)
            },
            Endpoint(.delete, "/api/v1/jobs/{id}", .needs(.manage, .library)) { _, context in
                try await answer(context) { try await library.cancelJob(number: $0) }
            },
            // The body is optional and is not read.
            Endpoint(.post, "/api/v1/jobs/{id}/cancel", .needs(.manage, .library)) { _, context in
                try await answer(context) { try await library.cancelJob(number: $0) }
            },
            Endpoint(.post, "/api/v1/jobs/{id}/retry", .needs(.manage, .library)) { _, context in
                try await answer(context) { try await library.retryJob(number: $0) }
            },
        ]
    }

    private func jobs(_ request: Request) async throws -> Response {
        let page = try PageRequest(request)
        let jobs = try await library.jobs(matching: page.query, after: page.cursor, limit: page.limit)
        return APIResources.page(jobs.items.map(APIResources.job), next: jobs.next).response()
    }

    private func prioritize(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let body = try await OperatorRequest.body(
            of: request, example: "{\"priority\": 10}", maximumByteCount: Self.maximumBodyByteCount)
        guard let priority = body["priority"]?.integer, VODLibrary.priorities.contains(priority) else {
            let range = VODLibrary.priorities
            throw ProblemDetails(
                .badRequest,
                "\"priority\" must be a whole number from \(range.lowerBound) to \(range.upperBound); higher goes first"
            )
        }
        return try await answer(context) { try await library.prioritizeJob(number: $0, priority) }
    }

    private func answer(
        _ context: GatewayRequestContext, _ body: (Int64) async throws -> JobRecord?
    ) async throws -> Response {
        do {
            let id = try context.parameters.require("id")
            guard let number = Int64(id), let job = try await body(number) else {
                throw ProblemDetails.missing("job", id, "jobs that have ended are deleted after thirty days")
            }
            return APIResources.job(job).response()
        } catch let error as LibraryError {
            throw ProblemDetails(error)
        }
    }

    // MARK: Server-sent events

    /// The header in which a client that reconnects names the last event it saw (HTML Standard §9.2.4).
    private static let lastEventID = HTTPField.Name("Last-Event-ID")
    /// The header that tells nginx not to buffer the response.
    private static let accelBuffering = HTTPField.Name("X-Accel-Buffering")
    /// Time after which a client reconnects.
    private static let reconnectionDelay = Duration.seconds(2)

    private func events(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let last = Self.lastEventID.flatMap { request.headers[$0] }.flatMap(JobEvent.ID.init(parsing:))
        let listener: JobEventHub.Listener
        do {
            listener = try await library.listenToJobs(
                by: AddressGroup(context.remoteAddress), after: last)
        } catch let error as LibraryError {
            var problem = ProblemDetails(.serviceUnavailable, error.reason)
            problem.headers[.retryAfter] = "10"
            throw problem
        }
        var headers: HTTPFields = [.contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store"]
        if let accelBuffering = Self.accelBuffering { headers[accelBuffering] = "no" }
        let body = ResponseBody { writer in
            // When the client disconnects, its listener ends at once, not at the next write.
            try await request.body.consumeWithInboundCloseHandler { _ in
                try await Self.tell(listener, writer: &writer)
            } onInboundClosed: {
                listener.end()
            }
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: headers, body: body)
    }

    private static func tell(
        _ listener: JobEventHub.Listener, writer: inout any ResponseBodyWriter
    ) async throws {
        var beginning = "retry: \(reconnectionDelay.wholeMilliseconds)\n\n"
        for event in listener.backlog { beginning += text(of: event) }
        try await writer.write(ByteBuffer(string: beginning))
        for await message in listener.messages.cancelOnGracefulShutdown() {
            switch message {
            case .event(let event): try await writer.write(ByteBuffer(string: text(of: event)))
            case .heartbeat: try await writer.write(ByteBuffer(string: ":\n\n"))
            }
        }
    }

    /// The event in the format of `text/event-stream`. Rendered JSON has no line breaks, so one `data` line holds it.
    static func text(of event: JobEvent) -> String {
        "id: \(event.id)\nevent: job\ndata: \(APIResources.job(event.job).rendered)\n\n"
    }
}
