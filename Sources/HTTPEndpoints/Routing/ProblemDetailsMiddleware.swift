import APIContract
import Accounts
import Database
import HTTPTypes
import Hummingbird
import Logging
import LogMetadata
import NIOHTTP1

/// Turns all errors of the router, including its own 404, into ``ProblemDetails``, and answers 405 if only the method
/// is wrong.
struct ProblemDetailsMiddleware: RouterMiddleware {
    typealias Context = GatewayRequestContext

    /// The endpoints, which tell the methods of a path.
    let endpoints: EndpointTable
    /// Renders problem details for browsers.
    let problemPage: EndpointTable.ProblemPage?

    func handle(
        _ request: Request, context: GatewayRequestContext,
        next: (Request, GatewayRequestContext) async throws -> Response
    ) async throws -> Response {
        let problem: ProblemDetails
        do {
            return try await next(request, context)
        } catch let error as HTTPParserError {
            // A body that is not well-formed HTTP/1.1 ends its connection, where the answer to it is given.
            throw error
        } catch let error as any ReportedError {
            problem = error.problem
        } catch let error as HTTPError {
            problem = translate(error, request)
        } catch let error as SQLError where error.code == .unavailable {
            context.logger.warning(
                "database does not answer", metadata: [.httpPath: "\(request.uri.path)", .error: "\(error)"])
            problem = .databaseUnavailable
        } catch let error as SQLError where error.code == .diskFull {
            context.logger.error(
                "disk of the database is full", metadata: [.httpPath: "\(request.uri.path)", .error: "\(error)"])
            problem = .databaseDiskFull
        } catch let error as any HTTPResponseError {
            problem = ProblemDetails(error.status)
        } catch is CancellationError {
            problem = ProblemDetails(.serviceUnavailable, "the server is shutting down")
        } catch {
            context.logger.error("request failed", metadata: [.httpPath: "\(request.uri.path)", .error: "\(error)"])
            problem = ProblemDetails(.internalServerError, "the request failed; the server's log says why")
        }
        return await answer(problem, request, context)
    }

    /// Answers browsers with a page and programs with problem details; the API always answers with problem details.
    private func answer(
        _ problem: ProblemDetails, _ request: Request, _ context: GatewayRequestContext
    ) async -> Response {
        guard !request.uri.path.hasPrefix("/api/"), [.get, .head, .post].contains(request.method) else {
            return problem.response(instance: request.uri.path)
        }
        var response: Response?
        if let problemPage, AcceptedTypes.preferHTML(request) {
            let (request, context) = await endpoints.identified(request, context)
            response = try? problemPage(problem, request, context)
        }
        if !problem.allowedMethods.isEmpty {
            response?.headers[.allow] = problem.allowedMethods.map(\.rawValue).joined(separator: ", ")
        }
        if let delay = problem.headers[.retryAfter] { response?.headers[.retryAfter] = delay }
        if let response { return response }
        var details = problem.response(instance: request.uri.path)
        details.headers[.vary] = "Accept"
        return details
    }

    private func translate(_ error: HTTPError, _ request: Request) -> ProblemDetails {
        guard error.status == .notFound else { return ProblemDetails(error.status, error.body) }
        let methods = endpoints.methods(of: request.uri.path)
        guard !methods.isEmpty, !methods.contains(request.method) else {
            return ProblemDetails(.notFound, "there is no resource at this path")
        }
        return ProblemDetails(.methodNotAllowed, allowedMethods: methods)
    }
}
