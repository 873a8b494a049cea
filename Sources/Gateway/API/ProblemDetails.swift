import Catalogue
package import HTTPTypes
package import Hummingbird
import Logging
import MediaCore
import NIOCore

/// An error response of the API: `application/problem+json` (RFC 9457).
package struct ProblemDetails: Error, Sendable, Equatable {
    package var status: HTTPResponse.Status
    /// The problem and its remedy; `nil` if the status is sufficient.
    package var detail: String?
    /// The methods for the `Allow` header of a 405 (RFC 9110 §15.5.6).
    package var allowedMethods: [HTTPRequest.Method]
    /// The mistakes in a configuration file, for the member `errors`.
    package var issues: [ConfigurationIssue]
    /// Additional header fields of the response, such as `WWW-Authenticate`.
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

    /// A 404 that says what is missing and how to list what exists.
    ///
    /// - Parameters:
    ///   - kind: the kind of resource, such as "title".
    ///   - name: the name in the request.
    ///   - advice: the remedy, such as "GET /api/v1/titles lists them".
    ///   - nearest: the most similar known name; `nil` if none is similar.
    static func missing(
        _ kind: String, _ name: String, _ advice: String, nearest: String? = nil
    ) -> ProblemDetails {
        let shown = UntrustedText.escaped(name, maximumCharacterCount: maximumShownNameLength)
        let hint = nearest.map { "; did you mean \"\(UntrustedText.escaped($0))\"?" } ?? ""
        return ProblemDetails(.notFound, "there is no \(kind) \"\(shown)\"; \(advice)\(hint)")
    }

    private static let maximumShownNameLength = 100

    /// The response with these problem details.
    ///
    /// - Parameter instance: the path of the request; `nil` if it is not known or not a URI.
    package func response(instance: String?) -> Response {
        Response(status: status, headers: fields, body: ResponseBody(byteBuffer: body(instance: instance)))
    }

    /// The header fields of the response.
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

/// Turns all errors of the router, including its own 404, into ``ProblemDetails``, and answers 405 if only the method
/// is wrong.
struct ProblemDetailsMiddleware: RouterMiddleware {
    typealias Context = GatewayRequestContext

    /// The endpoints, which tell the methods of a path.
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

    /// Answers browsers with a page and programs with problem details; the API always answers with problem details.
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
