import APIContract
import APIDeclarations
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import JSONDocument
import NIOCore
import VideoClub
import Webhooks

/// `/api/v1/payments`: what a payment provider's program says by Standard Webhooks. Its signature is the credential.
///
/// A payment is named by its reference: however often and in whatever order messages come, it gives credits once, and
/// is taken back once.
struct PaymentEndpoint: Sendable {
    let context: ClubContext
    /// Checks the signatures; `nil` if nobody can pay for credits.
    let verification: WebhookVerification?

    private static let maximumBodyByteCount = 16 * 1_024
    private static let example =
        #"{"type": "payment.completed", "data": {"user": "ana", "credits": 20, "reference": "pi_1"}}"#

    private enum Kind: String, CaseIterable {
        case completed = "payment.completed"
        case refunded = "payment.refunded"
    }

    var endpoint: Endpoint {
        Endpoint(VideoClubAPI.receivePayment, .open(reason: "the signature of the message decides"), handler: receive)
    }

    private func receive(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let club = context.club
        guard let verification else {
            throw ProblemDetails(
                .notFound, "this server takes no payments; start it with --payment-secret-file", type: .notAvailable)
        }
        let node = try await checked(request, verification, club)
        guard let kind = node["type"]?.string.flatMap(Kind.init(rawValue:)) else {
            throw ProblemDetails(
                .unprocessableContent,
                "the field `type` must be one of \(Kind.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        let data = node["data"]
        guard let reference = data?["reference"]?.string,
            (1...CreditMovement.maximumReferenceByteCount).contains(reference.utf8.count)
        else {
            throw ProblemDetails(
                .unprocessableContent,
                "the field `data.reference` must be a text of at most \(CreditMovement.maximumReferenceByteCount) bytes"
            )
        }
        let movement: CreditMovement
        switch kind {
        case .completed:
            guard let user = data?["user"]?.string, let credits = data?["credits"]?.integer else {
                throw ProblemDetails(.unprocessableContent, "the body must be \(Self.example)")
            }
            movement = try await club.pay(Int64(credits), to: user, reference: reference)
        case .refunded: movement = try await club.takeBackPayment(reference: reference)
        }
        return APIResources.movement(movement).response()
    }

    /// The body of a message whose signature is right.
    private func checked(
        _ request: Request, _ verification: WebhookVerification, _ club: VideoClub
    ) async throws -> JSONNode {
        let body = try await RequestBody.bytes(of: request, maximumByteCount: Self.maximumBodyByteCount)
        func field(_ name: String) -> String? { HTTPField.Name(name).flatMap { request.headers[$0] } }
        do {
            try verification.check(
                id: field("webhook-id"), timestamp: field("webhook-timestamp"), signatures: field("webhook-signature"),
                body: Array(body.readableBytesView), at: club.now)
        } catch {
            var problem = ProblemDetails(.unauthorized, error.rawValue)
            problem.headers[.wwwAuthenticate] = "Bearer"
            throw problem
        }
        return try RequestBody.parsed(body)
    }
}
