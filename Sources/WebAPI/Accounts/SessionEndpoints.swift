import APIContract
import APIDeclarations
import Accounts
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import IdentityProviders
import MediaCore

/// `/api/v1/session`: logging in and out.
struct SessionEndpoints: Sendable {
    let context: AccountsEndpoints

    private static let reason = "clients are strangers before they log in"

    var endpoints: [Endpoint] {
        [
            Endpoint(AccountAPI.getSession, .anyone(.any, reason: "everybody may know who they are"), handler: show),
            Endpoint(AccountAPI.logIn, .anyone(.any, reason: Self.reason), handler: logIn),
            Endpoint(AccountAPI.enterSecondFactor, .anyone(.any, reason: Self.reason), handler: finish),
            Endpoint(
                AccountAPI.listProviders, .anyone(.any, reason: "clients are strangers before they log in")
            ) { _, _ in
                let providers = context.publicAddress == nil ? [] : context.providers?.providers ?? []
                return APIPage(
                    providers.map { provider in
                        LogInProviderFields.object {
                            [
                                $0.id(provider.id), $0.name(provider.name),
                                $0.path("\(AccountPath.logIn)/con/\(provider.id)"),
                            ]
                        }
                    }
                ).response()
            },
            Endpoint(AccountAPI.logOut, .member(.session, reason: "ends the caller's own session"), handler: logOut),
        ]
    }

    private func show(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let member = caller.principal.member
        return SenderFields.object { fields in
            [
                fields.username(member?.username), fields.role(member?.role.rawValue),
                fields.permissions(caller.principal.scope.map { APIResources.names($0.actions) }),
                fields.csrf(caller.csrfToken),
            ]
        }.response()
    }

    private func logIn(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let body = try await BodyFields(request, LogInRequestFields.self)
        let (name, password) = (try body.required(\.username), try body.required(\.password))
        let (staysLoggedIn, returnsToken) = (try body.boolean(\.staysLoggedIn), try body.boolean(\.returnsToken))
        let outcome = try await context.accounts.logIn(
            name, password: password, staysLoggedIn: staysLoggedIn, from: caller.caller.origin)
        switch outcome {
        case .session(let session):
            return try await begin(session, request, caller, returnsToken: returnsToken)
        case .secondFactorNeeded(let challenge):
            return SecondFactorChallengeFields.object {
                [$0.secondFactorNeeded(true), $0.challenge(challenge.text)]
            }.response(status: .accepted)
        }
    }

    private func finish(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let body = try await BodyFields(request, SecondFactorEntryFields.self)
        let (challenge, code) = (try body.required(\.challenge), try body.required(\.code))
        let returnsToken = try body.boolean(\.returnsToken)
        let session = try await context.accounts.logIn(
            challenge: challenge, code: code, from: caller.caller.origin)
        return try await begin(session, request, caller, returnsToken: returnsToken)
    }

    /// - Parameter returnsToken: whether the answer holds the secret, for programs without cookies.
    private func begin(
        _ session: NewSession, _ request: Request, _ caller: GatewayRequestContext, returnsToken: Bool
    ) async throws -> Response {
        // Nobody goes on in a session that somebody else may have put into the browser.
        if caller.identity.session != nil { try? await context.accounts.logOut(caller.caller) }
        let cookie = SessionCookie.setting(
            session, isSecure: context.isSecure(request), now: session.session.createdAt)
        return SessionBegunFields.object {
            [
                $0.username(session.member.username), $0.role(session.member.role.rawValue),
                $0.csrf(CSRFToken.text(for: session.secret)),
                returnsToken ? $0.token(session.secret.text) : nil,
            ]
        }.response().adding(.setCookie, cookie)
    }

    private func logOut(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        try await context.accounts.logOut(caller.caller)
        return Response(status: .noContent)
            .adding(.setCookie, SessionCookie.removing(isSecure: context.isSecure(request)))
    }
}
