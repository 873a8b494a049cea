import APIContract
import APIDeclarations
import Accounts
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
import Workflows

/// `/api/v1/me`: the caller's own account, sessions and second factor.
struct MeEndpoints: Sendable {
    let context: AccountsEndpoints

    private static let own = AccessRule.member(.session, reason: "the caller's own account")

    var endpoints: [Endpoint] {
        [
            Endpoint(AccountAPI.getMe, .member(.read, reason: "the caller's own account")) { _, caller in
                Self.answer(try await context.accounts.account(of: caller.caller))
            },
            Endpoint(AccountAPI.changeMe, Self.own, handler: change),
            Endpoint(AccountAPI.deleteMe, Self.own) { request, caller in
                let body = try await BodyFields(request, PasswordConfirmationFields.self)
                try await context.accounts.deleteAccount(
                    password: try body.text(\.currentPassword), by: caller.caller)
                return Response(status: .noContent)
                    .adding(.setCookie, SessionCookie.removing(isSecure: context.isSecure(request)))
            },
            Endpoint(AccountAPI.changePassword, Self.own) { request, caller in
                let body = try await BodyFields(request, PasswordChangeFields.self)
                let account = try await context.accounts.changePassword(
                    to: try body.required(\.password), current: try body.text(\.currentPassword), by: caller.caller)
                context.send(.passwordChanged(of: account), request)
                return Response(status: .noContent)
            },
            Endpoint(AccountAPI.changeEmail, Self.own, handler: changeEmail),
        ] + sessions + secondFactor
    }

    private static func answer(_ account: Account, status: HTTPResponse.Status = .ok) -> Response {
        APIResources.account(account).response(status: status).adding(.eTag, EntityTag(account.revision).field)
    }

    private func change(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let body = try await BodyFields(request, ProfileChangeFields.self)
        let accounts = context.accounts
        let revisions = try IfMatch.required(in: request).revisions
        return Self.answer(
            try await accounts.changeProfile(from: revisions, by: caller.caller) { profile in
                try body.profile(over: profile)
            })
    }

    /// The status is 202 if the new address has to be confirmed first.
    private func changeEmail(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let body = try await BodyFields(request, EmailChangeFields.self)
        let accounts = context.accounts
        let email = try body.required(\.email)
        let present = try await accounts.account(of: caller.caller)
        let link = try await accounts.changeEmail(
            to: email, password: try body.text(\.currentPassword), by: caller.caller)
        guard let link else { return Self.answer(try await accounts.account(of: caller.caller)) }
        context.send(.newAddress(link, of: present), request)
        context.send(.addressChange(of: present, to: link.link.email ?? email), request)
        return Self.answer(present, status: .accepted)
    }

    // MARK: Sessions

    private var sessions: [Endpoint] {
        [
            Endpoint(AccountAPI.listSessions, Self.own) { _, caller in
                let sessions = try await context.accounts.sessions(of: caller.caller)
                return APIPage(
                    sessions.map { APIResources.session($0, isOwn: $0.id == caller.principal.session) }
                ).response()
            },
            Endpoint(AccountAPI.endOtherSessions, Self.own) { _, caller in
                try await context.accounts.endAllSessions(keepsThis: true, by: caller.caller)
                return Response(status: .noContent)
            },
            Endpoint(AccountAPI.endSession, Self.own) { _, caller in
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
        return [
            Endpoint(AccountAPI.getSecondFactor, Self.own) { _, caller in
                let status = try await context.accounts.secondFactor(of: caller.caller)
                return SecondFactorStateFields.object {
                    [$0.isOn(status.isOn), $0.recoveryCodes(status.recoveryCodeCount)]
                }.response()
            },
            Endpoint(AccountAPI.beginSecondFactor, Self.own) { request, caller in
                let body = try await BodyFields(request, PasswordConfirmationFields.self)
                let setUp = try await context.accounts.beginSecondFactor(
                    password: try body.text(\.currentPassword), by: caller.caller)
                return SecondFactorSetupFields.object { [$0.uri(setUp.uri)] }.response()
            },
            Endpoint(AccountAPI.enableSecondFactor, Self.own) { request, caller in
                let body = try await BodyFields(request, SecondFactorCodeFields.self)
                let codes = try await context.accounts.confirmSecondFactor(
                    try body.required(\.code), by: caller.caller)
                return RecoveryCodesFields.object { [$0.recoveryCodes(codes.map(\.text))] }.response()
            },
            Endpoint(AccountAPI.disableSecondFactor, Self.own) { request, caller in
                let body = try await BodyFields(request, PasswordConfirmationFields.self)
                try await context.accounts.turnOffSecondFactor(
                    password: try body.text(\.currentPassword), by: caller.caller)
                return Response(status: .noContent)
            },
        ]
    }
}
