import Catalogue
package import HTTPTypes
package import Hummingbird
import Logging
import NIOCore

/// An error as the API tells it: `application/problem+json` (RFC 9457).
package struct ProblemDetails: Error, Sendable, Equatable {
    package var status: HTTPResponse.Status
    /// What happened to this request, and what to do; `nil` where the status says it all.
    package var detail: String?
    /// Methods for the `Allow` header of a 405 (RFC 9110 §15.5.6).
    package var allowedMethods: [HTTPRequest.Method]

    package init(_ status: HTTPResponse.Status, _ detail: String? = nil, allowedMethods: [HTTPRequest.Method] = []) {
        self.status = status
        self.detail = detail
        self.allowedMethods = allowedMethods
    }

    /// - Parameter instance: path of the request.
    package func response(instance: String) -> Response {
        var fields: [JSONText.Field] = [
            ("type", .string("about:blank")), ("title", .string(status.reasonPhrase)),
            ("status", .integer(status.code)),
        ]
        if let detail { fields.append(("detail", .string(detail))) }
        fields.append(("instance", .string(instance)))
        var headers: HTTPFields = [.contentType: "application/problem+json", .cacheControl: "no-store"]
        if !allowedMethods.isEmpty { headers[.allow] = allowedMethods.map(\.rawValue).joined(separator: ", ") }
        let body = ByteBuffer(string: JSONText.object(fields).rendered)
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: body))
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
            problem = ProblemDetails(.badRequest, error.reason)
        } catch let error as any HTTPResponseError {
            problem = ProblemDetails(error.status)
        } catch is CancellationError {
            problem = ProblemDetails(.serviceUnavailable, "the server is shutting down")
        } catch {
            context.logger.error("request failed", metadata: ["http.path": "\(request.uri.path)", "error": "\(error)"])
            problem = ProblemDetails(.internalServerError, "the server's log says more")
        }
        return problem.response(instance: request.uri.path)
    }

    private func translate(_ error: HTTPError, _ request: Request) -> ProblemDetails {
        guard error.status == .notFound else { return ProblemDetails(error.status, error.body) }
        let methods = endpoints.methods(of: request.uri.path)
        guard !methods.isEmpty, !methods.contains(request.method) else {
            return ProblemDetails(.notFound, "there is nothing at this path")
        }
        return ProblemDetails(.methodNotAllowed, allowedMethods: methods)
    }
}
