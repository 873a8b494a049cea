import APIDeclarations
import HLSDelivery
import HTTPEndpoints
import HTTPTypes
import Hummingbird

/// `/api/v1/authorize`: tells a reverse proxy that keeps copies of media whether a client may have them, and how to
/// name them.
///
/// The proxy sends the client's header with each request, and the address that the client has requested in
/// `X-Original-URI` (nginx, `auth_request`) or `X-Forwarded-Uri`.
struct AuthorizeEndpoint: Sendable {
    let delivery: MediaDelivery

    private static let addressFields = ["X-Original-URI", "X-Forwarded-Uri"].compactMap { HTTPField.Name($0) }
    /// The field with the address that was decided about, in one spelling: the key for a copy.
    private static let mediaField = HTTPField.Name("X-Antena-Media")

    var endpoint: Endpoint {
        Endpoint(
            MediaAccessAPI.authorize,
            .open(reason: "decides by the credentials that this very request has for an address"),
            handler: answer)
    }

    private func answer(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let target = try Self.target(request.headers)
        switch await delivery.decide(target, fields: request.headers, from: caller.remoteAddress) {
        case .nothing:
            throw ProblemDetails(.notFound, "the address does not lead to a channel, title or track")
        case .conflict(let reason): throw ProblemDetails(.badRequest, reason)
        case .decided(let decision, let address):
            if let problem = Self.problem(decision) { throw problem }
            return Self.approval(of: address, isForEveryone: decision == .open)
        }
    }

    /// The address that the client has requested. A client may send such a field itself, and a proxy may add its own to
    /// it, so there is exactly one.
    ///
    /// - Throws: `ProblemDetails` with 400.
    private static func target(_ fields: HTTPFields) throws -> String {
        let targets = addressFields.flatMap { fields[values: $0] }
        guard let target = targets.first else {
            throw ProblemDetails(
                .badRequest, "send the requested address in the header X-Original-URI")
        }
        guard targets.count == 1 else {
            throw ProblemDetails(
                .badRequest, "several headers name an address; configure the proxy to remove the client's own")
        }
        return target
    }

    /// The answer that a client may have something.
    private static func approval(of address: String, isForEveryone: Bool) -> Response {
        // What depends on who asks is asked for each request.
        let caching = isForEveryone ? "public, max-age=\(CachePolicy.openSeconds)" : "no-store"
        var fields: HTTPFields = [.cacheControl: caching]
        if let mediaField { fields[mediaField] = address }
        return Response(status: .noContent, headers: fields)
    }

    /// The answer that a client may not have something; `nil` if it may. Proxies expect 401 or 403;
    /// docs/operations/viewing.md says how they answer with others.
    private static func problem(_ decision: ViewingDecision) -> ProblemDetails? {
        var problem = decision.problem
        switch decision {
        case .concealed: problem = ProblemDetails(.forbidden, "the account may not watch this")
        case .rentalMissing: problem?.status = .forbidden
        default: break
        }
        return problem
    }
}
