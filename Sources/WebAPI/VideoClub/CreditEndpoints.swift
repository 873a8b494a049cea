import APIContract
import APIDeclarations
import Accounts
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
import VideoClub

/// The credits of members: `/api/v1/me/credits`, `/api/v1/users/{name}/credits` and `/api/v1/credits`.
struct CreditEndpoints: Sendable {
    let context: ClubContext

    var endpoints: [Endpoint] {
        [
            Endpoint(VideoClubAPI.getOwnCredits, .member(.read, reason: "the caller's own credits")) {
                request, caller in
                let member = try VideoClub.member(caller.caller)
                let purchase = context.club.settings.purchase
                let history = try await history(of: member.id, request)
                return OwnCreditsFields.object {
                    [
                        $0.balance(history.balance), $0.expiring(history.expiring), $0.items(history.movements.items),
                        $0.next(NextCursor(history.movements.next)),
                        $0.purchase(Self.json(purchase, for: member.username)),
                    ]
                }.response()
            },
            Endpoint(VideoClubAPI.getUserCredits, ClubContext.manages) { request, caller in
                let history = try await history(of: try await context.user(caller), request)
                return UserCreditsFields.object {
                    [
                        $0.balance(history.balance), $0.expiring(history.expiring), $0.items(history.movements.items),
                        $0.next(NextCursor(history.movements.next)),
                    ]
                }.response()
            },
            Endpoint(VideoClubAPI.exportOwnCredits, .member(.read, reason: "the caller's own credits")) { _, caller in
                try await CreditHistory(
                    club: context.club, user: try VideoClub.member(caller.caller).id
                ).response()
            },
            Endpoint(VideoClubAPI.exportUserCredits, ClubContext.manages) { _, caller in
                try await CreditHistory(
                    club: context.club, user: try await context.user(caller)
                ).response()
            },
            Endpoint(VideoClubAPI.grantCredits, ClubContext.manages, handler: give).keepingKeys,
            Endpoint(VideoClubAPI.reverseCredits, ClubContext.manages, handler: reverse).keepingKeys,
            Endpoint(VideoClubAPI.checkCredits, ClubContext.manages) { _, _ in
                let report = try await context.club.check()
                return LedgerCheckFields.object {
                    [
                        $0.movements(Int(report.movementCount)), $0.lines(Int(report.lineCount)),
                        $0.accounts(Int(report.accountCount)), $0.credits(Int(report.memberTotal)),
                        $0.findings(report.findings),
                    ]
                }.response()
            },
        ]
    }

    /// How a member gets credits, as the operator says.
    private static func json(_ purchase: CreditPurchase, for username: String) -> APIObject<CreditPurchaseFields> {
        CreditPurchaseFields.object { [$0.address(purchase.address(for: username)), $0.text(purchase.texts)] }
    }

    /// The credits of a member, and one page of their movements.
    private struct History {
        var balance: Int
        /// Credits that end, soonest first.
        var expiring: APIDeclarations.ExpiringCredits
        var movements: APIPage<CreditMovementFields>
    }

    private func history(of user: UserID, _ request: Request) async throws -> History {
        let page = try PageRequest(request)
        let (balance, found) = try await context.club.movements(
            of: user, after: page.cursor, limit: page.limit)
        let expiring = try await context.club.expiringCredits(of: user).map { credits in
            ExpiringCreditFields.object {
                [$0.amount(Int(credits.amount)), $0.expiresAt(APIResources.time(credits.expiresAt))]
            }
        }
        return History(
            balance: Int(balance), expiring: APIDeclarations.ExpiringCredits(expiring),
            movements: APIPage(found.items.map(APIResources.movement), next: found.next))
    }

    /// The body is `{"amount": 20, "reason": "gift", "note": "welcome", "expiresIn": 7776000}`; the reason is a top-up
    /// if it is missing, and only a gift can end after some seconds.
    private func give(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let key = try ClubContext.key(request, of: "give", caller)
        let body = try await BodyFields(request, CreditGrantFields.self)
        guard let amount = try body.integer(\.amount) else {
            throw Refusal.missing(["amount"])
        }
        let movement = try await context.club.give(
            Int64(amount), try body.value(\.reason, CreditReason.self) ?? .topUp, to: try await context.user(caller),
            note: try body.text(\.note) ?? "", life: try body.integer(\.expiresIn).map { .seconds($0) }, key: key,
            by: caller.caller)
        return APIResources.movement(movement).response(status: .created)
    }

    /// The body is `{"note": "mistake"}`.
    private func reverse(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let key = try ClubContext.key(request, of: "reverse", caller)
        let body = try await BodyFields(request, CreditNoteFields.self)
        let movement = try await context.club.reverse(
            try caller.parameters.identifier(of: "movement"), note: try body.text(\.note) ?? "", key: key,
            by: caller.caller)
        return APIResources.movement(movement).response(status: .created)
    }
}
