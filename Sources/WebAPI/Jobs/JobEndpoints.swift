import APIContract
import APIDeclarations
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
import Workflows

/// `/api/v1/jobs…`: the jobs that are running, queued or have ended.
struct JobEndpoints: Sendable {
    let content: any ContentSource

    private var library: any LibraryOperations { content.library }
    /// Limit of a request's body, enough for `{"priority": 10}`.
    static let maximumBodyByteCount = 1_024

    var endpoints: [Endpoint] {
        [
            Endpoint(JobAPI.listJobs, .jobs) { request, _ in try await jobs(request) },
            Endpoint(JobAPI.streamJobs, .jobs) { request, context in
                try await events(request, context)
            },
            Endpoint(JobAPI.getJob, .jobs) { _, context in
                try await answer(context) { try await library.job(number: $0) }
            },
            Endpoint(JobAPI.changeJob, .needs(.manage, .library)) { request, context in
                try await prioritize(request, context)
            },
            Endpoint(JobAPI.deleteJob, .needs(.manage, .library)) { _, context in
                try await answer(context) { try await library.cancelJob(number: $0) }
            },
            // The body is optional and is not read.
            Endpoint(JobAPI.cancelJob, .needs(.manage, .library)) { _, context in
                try await answer(context) { try await library.cancelJob(number: $0) }
            },
            Endpoint(JobAPI.retryJob, .needs(.manage, .library)) { _, context in
                try await answer(context) { try await library.retryJob(number: $0) }
            },
        ]
    }

    private func jobs(_ request: Request) async throws -> Response {
        let page = try PageRequest(request)
        let jobs = try await library.jobs(matching: page.query, after: page.cursor, limit: page.limit)
        return APIPage(jobs.items.map(APIResources.job), next: jobs.next).response()
    }

    private func prioritize(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let body = try await RequestBody.body(
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

    private func events(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let last = ServerSentEvents.lastSeen(request).flatMap(JobEvent.ID.init(parsing:))
        let listener: JobEventHub.Listener
        do {
            listener = try await library.listenToJobs(
                by: context.caller.origin.group, after: last)
        } catch let error as LibraryError {
            throw ServerSentEvents.refusal(error.reason)
        }
        return ServerSentEvents.response(to: request, on: context.channel, end: listener.end) { writer in
            try await Self.tell(listener, writer: &writer)
        }
    }

    private static func tell(
        _ listener: JobEventHub.Listener, writer: inout any ResponseBodyWriter
    ) async throws {
        var beginning = ServerSentEvents.beginning
        for event in listener.backlog { beginning += text(of: event) }
        try await writer.write(ByteBuffer(string: beginning))
        for await message in listener.messages.cancelOnGracefulShutdown() {
            switch message {
            case .event(let event): try await writer.write(ByteBuffer(string: text(of: event)))
            case .heartbeat: try await writer.write(ByteBuffer(string: ServerSentEvents.heartbeat))
            }
        }
    }

    /// The event in the format of `text/event-stream`. Rendered JSON has no line breaks, so one `data` line holds it.
    static func text(of event: JobEvent) -> String {
        "id: \(event.id)\nevent: job\ndata: \(APIResources.job(event.job).json.rendered)\n\n"
    }
}
