import Accounts
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import IdentityProviders
import JSONDocument
import MediaCore

/// `/api/v1/session`: logging in and out.
struct SessionEndpoints: Sendable {
    let context: AccountsEndpoints

    private static let path = "/api/v1/session"
    private static let reason = "clients are strangers before they log in"

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, Self.path, .anyone(.any, reason: "everybody may know who they are"), handler: show),
            Endpoint(.post, Self.path, .anyone(.any, reason: Self.reason), handler: logIn),
            Endpoint(.post, "\(Self.path)/second-factor", .anyone(.any, reason: Self.reason), handler: finish),
            Endpoint(
                .get, "\(Self.path)/providers", .anyone(.any, reason: "clients are strangers before they log in")
            ) { _, _ in
                let providers = context.publicAddress == nil ? [] : context.providers?.providers ?? []
                return APIResources.page(
                    providers.map { provider in
                        .object([
                            ("id", .string(provider.id)), ("name", .string(provider.name)),
                            ("path", .string("\(AccountPath.logIn)/con/\(provider.id)")),
                        ])
                    }
                ).response()
            },
            Endpoint(.delete, Self.path, .member(.session, reason: "ends the caller's own session"), handler: logOut),
        ]
    }

    private func show(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let member = caller.principal.member
        return JSONText.object([
            ("username", .optional(member?.username)), ("role", .optional(member?.role.rawValue)),
            ("permissions", caller.principal.scope.map { APIResources.names($0.actions) } ?? .null),
            ("csrf", .optional(caller.csrfToken)),
        ]).response()
    }

    private func logIn(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let body = try await BodyFields(
            request, fields: ["username", "password", "staysLoggedIn", "returnsToken"])
        let (name, password) = (try body.required("username"), try body.required("password"))
        let (staysLoggedIn, returnsToken) = (try body.boolean("staysLoggedIn"), try body.boolean("returnsToken"))
        let outcome = try await context.accounts.logIn(
            name, password: password, staysLoggedIn: staysLoggedIn, from: caller.caller.origin)
        switch outcome {
        case .session(let session):
            return try await begin(session, request, caller, returnsToken: returnsToken)
        case .secondFactorNeeded(let challenge):
            return JSONText.object([("secondFactorNeeded", .boolean(true)), ("challenge", .string(challenge.text))])
                .response(status: .accepted)
        }
    }

    private func finish(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let body = try await BodyFields(request, fields: ["challenge", "code", "returnsToken"])
        let (challenge, code) = (try body.required("challenge"), try body.required("code"))
        let returnsToken = try body.boolean("returnsToken")
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
        var fields: [JSONText.Field] = [
            ("username", .string(session.member.username)), ("role", .string(session.member.role.rawValue)),
            ("csrf", .string(CSRFToken.text(for: session.secret))),
        ]
        if returnsToken { fields.append(("token", .string(session.secret.text))) }
        let cookie = SessionCookie.setting(
            session, isSecure: context.isSecure(request), now: session.session.createdAt)
        return JSONText.object(fields).response().adding(.setCookie, cookie)
    }

    private func logOut(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        try await context.accounts.logOut(caller.caller)
        return Response(status: .noContent)
            .adding(.setCookie, SessionCookie.removing(isSecure: context.isSecure(request)))
    }
}
