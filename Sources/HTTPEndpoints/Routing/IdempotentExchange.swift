import APIContract
import Accounts
import Database
import HTTPTypes
import Hummingbird
import Idempotency
import Logging
import LogMetadata
import NIOCore

/// Answers requests with an `Idempotency-Key`: the first one is carried out, and those that repeat it get its response.
///
/// The key counts for clients that have logged in, and for JSON or no body: uploads are resumed in their own way (tus),
/// and are refused with a key, so that nobody relies on it there.
struct IdempotentExchange: Sendable {
    let keys: IdempotencyKeys

    /// Limit of the body; requests that create something have less.
    private static let maximumBodyByteCount = 256 * 1_024
    /// Header fields that belong to a connection, not to a response.
    private static let unrecordedFields: Set<HTTPField.Name> = [.contentLength, .connection, .date, .transferEncoding]

    /// Whether a request has a key that counts.
    static func applies(to request: Request, _ endpoint: Endpoint, _ context: GatewayRequestContext) -> Bool {
        !endpoint.keepsKeys && request.headers.idempotencyKey != nil && endpoint.method == .post
            && endpoint.path.hasPrefix("/api/")
            && context.principal != .anonymous
    }

    /// Carries out a request, or finds the response that it had.
    ///
    /// - Parameters:
    ///   - request: a request to which the key applies.
    ///   - context: its sender, who may send it.
    ///   - handler: carries it out.
    /// - Throws: ``ProblemDetails``, and the errors of the handler.
    func answer(
        _ request: Request, _ context: GatewayRequestContext, _ handler: Endpoint.Handler
    ) async throws -> Response {
        var request = request
        let wanted = try await identify(&request, context)
        switch try await keys.admit(wanted, isLimited: context.principal.member != nil) {
        case .new: break
        case .repeated(let recorded): return try Self.response(recorded)
        case .inProgress:
            var problem = ProblemDetails(
                .conflict, "the first request with this Idempotency-Key is being carried out", type: .requestInProgress)
            problem.headers[.retryAfter] = "1"
            throw problem
        case .keyOfAnotherRequest:
            throw ProblemDetails(
                .unprocessableContent, "this Idempotency-Key was used for another request; use a new one for each",
                type: .keyOfAnotherRequest)
        case .tooMany:
            throw ProblemDetails(
                .tooManyRequests,
                "an account may use \(IdempotencyKeys.maximumCountPerSender) values of Idempotency-Key in a day")
        }
        let response: Response
        do {
            response = try await handler(request, context)
        } catch {
            // Of these nobody knows whether they came before or after the change.
            if !(error is CancellationError), !(error is SQLError) { await abandon(wanted, context) }
            throw error
        }
        guard response.status.kind == .successful else {
            await abandon(wanted, context)
            return response
        }
        return await record(response, of: wanted, context)
    }

    private func identify(
        _ request: inout Request, _ context: GatewayRequestContext
    ) async throws -> IdempotentRequest {
        let key = try request.headers.checkedIdempotencyKey() ?? ""
        let type = request.headers[.contentType]?.prefix { $0 != ";" }.lowercased() ?? "application/json"
        guard type.filter({ !$0.isWhitespace }) == "application/json" else {
            throw ProblemDetails(
                .unprocessableContent,
                "an Idempotency-Key counts for JSON bodies only; uploads are resumed by tus (/api/v1/uploads)")
        }
        let body: ByteBuffer
        do {
            body = try await request.collectBody(upTo: Self.maximumBodyByteCount)
        } catch is NIOTooManyBytesError {
            throw ProblemDetails(.contentTooLarge, "the body is limited to \(Self.maximumBodyByteCount) bytes")
        }
        let query = request.uri.query ?? ""
        return IdempotentRequest(
            sender: context.principal.member?.id.text ?? "machine", limits: context.principal.scope?.identity ?? "",
            operation: "\(request.method.rawValue) \(request.uri.path)", key: key,
            content: Array("\(query)\n".utf8) + Array(body.readableBytesView))
    }

    private func abandon(_ wanted: IdempotentRequest, _ context: GatewayRequestContext) async {
        do {
            try await keys.abandon(wanted)
        } catch {
            context.logger.warning(
                "idempotency key of a refused request could not be released; it expires in a minute",
                metadata: [.error: "\(error)"])
        }
    }

    /// Keeps a response, and returns it to be sent.
    private func record(
        _ response: Response, of wanted: IdempotentRequest, _ context: GatewayRequestContext
    ) async -> Response {
        guard let byteCount = response.body.contentLength, byteCount <= RecordedResponse.maximumBodyByteCount else {
            return response
        }
        var response = response
        do {
            let collected = CollectedBody()
            try await response.body.write(collected.writer)
            let body = collected.bytes
            response.body = ResponseBody(byteBuffer: ByteBuffer(bytes: body))
            let fields = response.headers.filter { !Self.unrecordedFields.contains($0.name) }
            try await keys.complete(
                wanted,
                with: RecordedResponse(
                    status: response.status.code, fields: fields.map { .init($0.name.rawName, $0.value) }, body: body))
        } catch {
            // It was carried out, so its sender is told that.
            context.logger.warning(
                "response could not be stored under its idempotency key", metadata: [.error: "\(error)"])
        }
        return response
    }

    private static func response(_ recorded: RecordedResponse) throws -> Response {
        var fields = HTTPFields()
        for field in recorded.fields {
            guard let name = HTTPField.Name(field.name) else { continue }
            fields.append(HTTPField(name: name, value: field.value))
        }
        fields.noteReplay()
        return Response(
            status: HTTPResponse.Status(code: recorded.status), headers: fields,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: recorded.body)))
    }
}
