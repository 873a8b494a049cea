import HLSDelivery
import HTTPEndpoints
import HTTPTypes
import Hummingbird

/// `/api/v1/authorize`: tells a reverse proxy that keeps copies of media whether a client may have them.
///
/// The proxy sends the client's header with each request, and the address that the client has requested in
/// `X-Original-URI` (nginx, `auth_request`) or `X-Forwarded-Uri` (Caddy, Traefik).
struct AuthorizeEndpoint: Sendable {
    /// `nil` for a server without media.
    let delivery: MediaDelivery?

    private static let addressFields = ["X-Original-URI", "X-Forwarded-Uri"].compactMap { HTTPField.Name($0) }

    var endpoint: Endpoint {
        Endpoint(
            .get, "/api/v1/authorize",
            .open(reason: "decides by the credentials that this very request has for an address"),
            handler: answer)
    }

    private func answer(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        guard let delivery else { throw ProblemDetails(.notFound, "this server has no media") }
        let name = Self.addressFields.first { request.headers[$0] != nil }
        guard let name, let target = request.headers[name] else {
            throw ProblemDetails(
                .badRequest, "name the address that the client has requested in the header X-Original-URI")
        }
        let decision = await delivery.decide(target, fields: request.headers, from: caller.remoteAddress)
        guard let decision else {
            throw ProblemDetails(.forbidden, "the address does not lead to a channel, title or track")
        }
        guard var problem = decision.problem else {
            return Response(status: .noContent, headers: [.cacheControl: "no-store"])
        }
        // Proxies expect 401 or 403; docs/operations/viewing.md says how they answer with others.
        switch decision {
        case .concealed: problem = ProblemDetails(.forbidden, "the account may not watch this")
        case .rentalMissing: problem.status = .forbidden
        default: break
        }
        throw problem
    }
}
