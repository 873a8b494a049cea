import Accounts
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import JSONDocument
import MediaCore
import VideoClub

/// The credits of members: `/api/v1/me/credits`, `/api/v1/users/{name}/credits` and `/api/v1/credits`.
struct CreditEndpoints: Sendable {
    let context: ClubContext

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, "/api/v1/me/credits", .member(.read, reason: "the caller's own credits")) {
                request, caller in
                let member = try VideoClub.member(caller.caller)
                let purchase = context.club.settings.purchase
                return try await history(
                    of: member.id, request, further: [("purchase", Self.json(purchase, for: member.username))])
            },
            Endpoint(.get, "/api/v1/users/{name}/credits", ClubContext.manages) { request, caller in
                try await history(of: try await context.user(caller), request)
            },
            Endpoint(.get, "/api/v1/me/credits.csv", .member(.read, reason: "the caller's own credits")) { _, caller in
                try await CreditHistory(
                    club: context.club, user: try VideoClub.member(caller.caller).id
                ).response()
            },
            Endpoint(.get, "/api/v1/users/{name}/credits.csv", ClubContext.manages) { _, caller in
                try await CreditHistory(
                    club: context.club, user: try await context.user(caller)
                ).response()
            },
            Endpoint(.post, "/api/v1/users/{name}/credits", ClubContext.manages, handler: give).keepingKeys,
            Endpoint(.post, "/api/v1/credits/{id}/reversal", ClubContext.manages, handler: reverse).keepingKeys,
            Endpoint(.get, "/api/v1/credits/check", ClubContext.manages) { _, _ in
                let report = try await context.club.check()
                return JSONText.object([
                    ("movements", .integer(Int(report.movementCount))), ("lines", .integer(Int(report.lineCount))),
                    ("accounts", .integer(Int(report.accountCount))), ("credits", .integer(Int(report.memberTotal))),
                    ("findings", .array(report.findings.map(JSONText.string))),
                ]).response()
            },
        ]
    }

    /// How a member gets credits, as the operator says.
    private static func json(_ purchase: CreditPurchase, for username: String) -> JSONText {
        .object([
            ("address", .optional(purchase.address(for: username))),
            ("text", .object(purchase.texts.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })),
        ])
    }

    private func history(
        of user: UserID, _ request: Request, further: [JSONText.Field] = []
    ) async throws -> Response {
        let page = try PageRequest(request)
        let (balance, found) = try await context.club.movements(
            of: user, after: page.cursor, limit: page.limit)
        let expiring = try await context.club.expiringCredits(of: user)
        return JSONText.object(
            [
                ("balance", .integer(Int(balance))), ("expiring", APIResources.expiring(expiring)),
                ("items", .array(found.items.map(APIResources.movement))),
                ("next", .optional(found.next)),
            ] + further
        ).response()
    }

    /// The body is `{"amount": 20, "reason": "gift", "note": "welcome", "expiresIn": 7776000}`; the reason is a top-up
    /// if it is missing, and only a gift can end after some seconds.
    private func give(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let key = try ClubContext.key(request, of: "give", caller)
        let body = try await BodyFields(request, fields: ["amount", "reason", "note", "expiresIn"])
        guard let amount = try body.integer("amount") else {
            throw Refusal(.missingFields, "these fields are required: amount", fields: ["amount"])
        }
        let movement = try await context.club.give(
            Int64(amount), try body.value("reason", CreditReason.self) ?? .topUp, to: try await context.user(caller),
            note: try body.text("note") ?? "", life: try body.integer("expiresIn").map { .seconds($0) }, key: key,
            by: caller.caller)
        return APIResources.movement(movement).response(status: .created)
    }

    /// The body is `{"note": "mistake"}`.
    private func reverse(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let key = try ClubContext.key(request, of: "reverse", caller)
        let body = try await BodyFields(request, fields: ["note"])
        let movement = try await context.club.reverse(
            try caller.parameters.identifier(of: "movement"), note: try body.text("note") ?? "", key: key,
            by: caller.caller)
        return APIResources.movement(movement).response(status: .created)
    }
}
