import Catalogue
package import HTTPTypes
package import Hummingbird
import Logging
import MediaCore
import NIOCore

/// An error as the API tells it: `application/problem+json` (RFC 9457).
package struct ProblemDetails: Error, Sendable, Equatable {
    package var status: HTTPResponse.Status
    /// What happened to this request, and what to do; `nil` where the status says it all.
    package var detail: String?
    /// Methods for the `Allow` header of a 405 (RFC 9110 §15.5.6).
    package var allowedMethods: [HTTPRequest.Method]
    /// Everything that is wrong with a configuration file, as the member `errors`.
    package var issues: [ConfigurationIssue]
    /// More fields of the answer, such as `WWW-Authenticate`.
    package var headers: HTTPFields = [:]

    package init(
        _ status: HTTPResponse.Status, _ detail: String? = nil, allowedMethods: [HTTPRequest.Method] = [],
        issues: [ConfigurationIssue] = []
    ) {
        self.status = status
        self.detail = detail
        self.allowedMethods = allowedMethods
        self.issues = issues
    }

    private static func json(_ issue: ConfigurationIssue) -> JSONText {
        .object([
            ("line", .optional(issue.position?.line)), ("column", .optional(issue.position?.column)),
            ("field", .string(issue.field)), ("message", .string(issue.message)),
        ])
    }

    /// What a 404 says: which thing of a kind is missing, and where to find those that there are.
    ///
    /// - Parameters:
    ///   - kind: as in "title".
    ///   - name: as the request has it.
    ///   - advice: as in "GET /api/v1/titles lists them".
    ///   - nearest: the name that was probably meant; `nil` if none is similar.
    static func missing(
        _ kind: String, _ name: String, _ advice: String, nearest: String? = nil
    ) -> ProblemDetails {
        let shown = UntrustedText.escaped(name, maximumCharacterCount: maximumShownNameLength)
        let hint = nearest.map { "; did you mean \"\(UntrustedText.escaped($0))\"?" } ?? ""
        return ProblemDetails(.notFound, "there is no \(kind) \"\(shown)\"; \(advice)\(hint)")
    }

    private static let maximumShownNameLength = 100

    /// - Parameter instance: path of the request; `nil` when it is not known, or not a URI.
    package func response(instance: String?) -> Response {
        Response(status: status, headers: fields, body: ResponseBody(byteBuffer: body(instance: instance)))
    }

    /// The answer's header fields.
    var fields: HTTPFields {
        var fields = headers
        fields[.contentType] = "application/problem+json"
        fields[.cacheControl] = "no-store"
        if !allowedMethods.isEmpty { fields[.allow] = allowedMethods.map(\.rawValue).joined(separator: ", ") }
        return fields
    }

    func body(instance: String?) -> ByteBuffer {
        var fields: [JSONText.Field] = [
            ("type", .string("about:blank")), ("title", .string(status.reasonPhrase)),
            ("status", .integer(status.code)),
        ]
        if let detail { fields.append(("detail", .string(detail))) }
        if let instance { fields.append(("instance", .string(instance))) }
        if !issues.isEmpty { fields.append(("errors", .array(issues.map(Self.json)))) }
        return ByteBuffer(string: JSONText.object(fields).rendered)
    }
}

/// Turns every error of the router into ``ProblemDetails``, its own 404 included, and tells a 405 from a 404.
struct ProblemDetailsMiddleware: RouterMiddleware {
    typealias Context = GatewayRequestContext

    /// To know which methods a path has.
    let endpoints: EndpointTable

    func handle(
        _ request: Request, context: GatewayRequestContext,
        next: (Request, GatewayRequestContext) async throws -> Response
    ) async throws -> Response {
        let problem: ProblemDetails
        do {
            return try await next(request, context)
        } catch let error as ProblemDetails {
            problem = error
        } catch let error as HTTPError {
            problem = translate(error, request)
        } catch let error as CatalogueError where error.code == .invalidCursor {
            problem = ProblemDetails(.unprocessableContent, error.reason)
        } catch let error as any HTTPResponseError {
            problem = ProblemDetails(error.status)
        } catch is CancellationError {
            problem = ProblemDetails(.serviceUnavailable, "the server is shutting down")
        } catch {
            context.logger.error("request failed", metadata: ["http.path": "\(request.uri.path)", "error": "\(error)"])
            problem = ProblemDetails(.internalServerError, "the request failed; the server's log says why")
        }
        return answer(problem, request, context)
    }

    /// A page for people, except below the API; problem details for programs.
    private func answer(
        _ problem: ProblemDetails, _ request: Request, _ context: GatewayRequestContext
    ) -> Response {
        guard !request.uri.path.hasPrefix("/api/"), [.get, .head].contains(request.method) else {
            return problem.response(instance: request.uri.path)
        }
        var response: Response?
        if AcceptedTypes.preferHTML(request) { response = try? SitePage(.problem, request, context).response(problem) }
        if !problem.allowedMethods.isEmpty {
            response?.headers[.allow] = problem.allowedMethods.map(\.rawValue).joined(separator: ", ")
        }
        if let response { return response }
        var details = problem.response(instance: request.uri.path)
        details.headers[.vary] = "Accept"
        return details
    }

    private func translate(_ error: HTTPError, _ request: Request) -> ProblemDetails {
        guard error.status == .notFound else { return ProblemDetails(error.status, error.body) }
        let methods = endpoints.methods(of: request.uri.path)
        guard !methods.isEmpty, !methods.contains(request.method) else {
            return ProblemDetails(.notFound, "this server has nothing at this path")
        }
        return ProblemDetails(.methodNotAllowed, allowedMethods: methods)
    }
}
