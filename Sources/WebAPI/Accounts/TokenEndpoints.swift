import APIContract
import APIDeclarations
import Accounts
import Foundation
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore

/// `/api/v1/tokens`: credentials for programs. Administrators name somebody else with `user`.
struct TokenEndpoints: Sendable {
    let context: AccountsEndpoints

    private static let own = AccessRule.credentialed(
        .session, reason: "the caller's own tokens; those of others need an administrator")
    /// The longest life of a token in days.
    private static let maximumDayCount = 3_650

    var endpoints: [Endpoint] {
        [
            Endpoint(AccountAPI.listTokens, Self.own) { request, caller in
                let owner = try await owner(PageRequest.value(of: "user", in: request), caller)
                let tokens = try await context.accounts.tokens(of: owner, by: caller.caller)
                return APIPage(tokens.map { APIResources.token($0) }).response()
            },
            Endpoint(AccountAPI.createToken, Self.own, handler: create),
            Endpoint(AccountAPI.deleteToken, Self.own) { request, caller in
                let owner = try await owner(PageRequest.value(of: "user", in: request), caller)
                guard let id = OpaqueID(parsing: try caller.parameters.require("id")) else {
                    throw Refusal(.notFound, "the account has no such token")
                }
                try await context.accounts.revokeToken(id, of: owner, by: caller.caller)
                return Response(status: .noContent)
            },
        ]
    }

    /// The account that a request names; `nil` for the caller's own.
    private func owner(_ name: String?, _ caller: GatewayRequestContext) async throws -> UserID? {
        guard let name, !name.isEmpty else { return nil }
        return try await context.accounts.account(named: name, by: caller.caller).id
    }

    private func create(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let body = try await BodyFields(request, NewTokenFields.self)
        let actions = try body.texts(\.permissions).map { try ActionSet(parsing: $0.joined(separator: ",")) }
        let channels = try body.texts(\.channels).map { Set($0) }
        var wanted = TokenRequest(
            try body.value(\.kind, TokenKind.self) ?? .apiToken, name: try body.required(\.name),
            scope: Scope(actions: actions ?? .all, channels: channels))
        if let days = try body.integer(\.days) {
            guard (1...Self.maximumDayCount).contains(days) else {
                throw Refusal(
                    .invalidField, "the field `days` must be a number from 1 to \(Self.maximumDayCount)",
                    fields: ["days"])
            }
            wanted.expiresAt = context.accounts.now + .seconds(days * 86_400)
        }
        let owner = try await owner(try body.text(\.user), caller)
        let token = try await context.accounts.createToken(
            wanted, for: owner, password: try body.text(\.currentPassword), by: caller.caller)
        return APIResources.token(token.token, secret: token.secret.text).response(status: .created)
    }
}
