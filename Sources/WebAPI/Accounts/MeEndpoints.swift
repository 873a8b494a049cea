import Accounts
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import JSONDocument
import MediaCore
import Workflows

/// `/api/v1/me`: the caller's own account, sessions and second factor.
struct MeEndpoints: Sendable {
    let context: AccountsEndpoints

    private static let path = "/api/v1/me"
    private static let own = AccessRule.member(.session, reason: "the caller's own account")

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, Self.path, .member(.read, reason: "the caller's own account")) { _, caller in
                Self.answer(try await context.accounts.account(of: caller.caller))
            },
            Endpoint(.patch, Self.path, Self.own, handler: change),
            Endpoint(.delete, Self.path, Self.own) { request, caller in
                let body = try await BodyFields(request, fields: ["currentPassword"])
                try await context.accounts.deleteAccount(
                    password: try body.text("currentPassword"), by: caller.caller)
                return Response(status: .noContent)
                    .adding(.setCookie, SessionCookie.removing(isSecure: context.isSecure(request)))
            },
            Endpoint(.put, "\(Self.path)/password", Self.own) { request, caller in
                let body = try await BodyFields(request, fields: ["password", "currentPassword"])
                let account = try await context.accounts.changePassword(
                    to: try body.required("password"), current: try body.text("currentPassword"), by: caller.caller)
                context.send(.passwordChanged(of: account), request)
                return Response(status: .noContent)
            },
            Endpoint(.put, "\(Self.path)/email", Self.own, handler: changeEmail),
        ] + sessions + secondFactor
    }

    private static func answer(_ account: Account, status: HTTPResponse.Status = .ok) -> Response {
        APIResources.account(account).response(status: status).adding(.eTag, EntityTag(account.revision).field)
    }

    private func change(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let body = try await BodyFields(request, fields: BodyFields.ownFields)
        let accounts = context.accounts
        let revisions = try IfMatch.required(in: request).revisions
        return Self.answer(
            try await accounts.changeProfile(from: revisions, by: caller.caller) { profile in
                try body.profile(over: profile)
            })
    }

    /// The status is 202 if the new address has to be confirmed first.
    private func changeEmail(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let body = try await BodyFields(request, fields: ["email", "currentPassword"])
        let accounts = context.accounts
        let email = try body.required("email")
        let present = try await accounts.account(of: caller.caller)
        let link = try await accounts.changeEmail(
            to: email, password: try body.text("currentPassword"), by: caller.caller)
        guard let link else { return Self.answer(try await accounts.account(of: caller.caller)) }
        context.send(.newAddress(link, of: present), request)
        context.send(.addressChange(of: present, to: link.link.email ?? email), request)
        return Self.answer(present, status: .accepted)
    }

    // MARK: Sessions

    private var sessions: [Endpoint] {
        [
            Endpoint(.get, "\(Self.path)/sessions", Self.own) { _, caller in
                let sessions = try await context.accounts.sessions(of: caller.caller)
                return APIResources.page(
                    sessions.map { APIResources.session($0, isOwn: $0.id == caller.principal.session) }
                ).response()
            },
            Endpoint(.delete, "\(Self.path)/sessions", Self.own) { _, caller in
                try await context.accounts.endAllSessions(keepsThis: true, by: caller.caller)
                return Response(status: .noContent)
            },
            Endpoint(.delete, "\(Self.path)/sessions/{id}", Self.own) { _, caller in
                guard let id = OpaqueID(parsing: try caller.parameters.require("id")) else {
                    throw Refusal(.notFound, "your account has no such session")
                }
                try await context.accounts.endSession(id, by: caller.caller)
                return Response(status: .noContent)
            },
        ]
    }

    // MARK: Second factor

    private var secondFactor: [Endpoint] {
        let path = "\(Self.path)/second-factor"
        return [
            Endpoint(.get, path, Self.own) { _, caller in
                let status = try await context.accounts.secondFactor(of: caller.caller)
                return JSONText.object([
                    ("isOn", .boolean(status.isOn)), ("recoveryCodes", .integer(status.recoveryCodeCount)),
                ]).response()
            },
            Endpoint(.post, path, Self.own) { request, caller in
                let body = try await BodyFields(request, fields: ["currentPassword"])
                let setUp = try await context.accounts.beginSecondFactor(
                    password: try body.text("currentPassword"), by: caller.caller)
                return JSONText.object([("uri", .string(setUp.uri))]).response()
            },
            Endpoint(.put, path, Self.own) { request, caller in
                let body = try await BodyFields(request, fields: ["code"])
                let codes = try await context.accounts.confirmSecondFactor(
                    try body.required("code"), by: caller.caller)
                return JSONText.object([("recoveryCodes", .array(codes.map { .string($0.text) }))]).response()
            },
            Endpoint(.delete, path, Self.own) { request, caller in
                let body = try await BodyFields(request, fields: ["currentPassword"])
                try await context.accounts.turnOffSecondFactor(
                    password: try body.text("currentPassword"), by: caller.caller)
                return Response(status: .noContent)
            },
        ]
    }
}
