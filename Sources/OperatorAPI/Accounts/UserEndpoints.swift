import Accounts
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import JSONDocument
import MediaCore

/// `/api/v1/users`: signing up, and what administrators do with accounts.
struct UserEndpoints: Sendable {
    let context: AccountsEndpoints

    private static let path = "/api/v1/users"
    private static let one = "\(path)/{name}"
    private static let administers = AccessRule.needs(.administer, .accounts)

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, Self.path, .needs(.read, .accounts), handler: list),
            Endpoint(
                .post, Self.path, .anyone(reason: "whoever signs up is a stranger before; a role needs permission"),
                handler: create),
            Endpoint(.get, Self.one, .needs(.read, .accounts)) { _, caller in
                try await answer(try await account(caller), caller)
            },
            Endpoint(.patch, Self.one, Self.administers, handler: change),
            Endpoint(.delete, Self.one, Self.administers) { _, caller in
                _ = try await context.required().removeAccount(try await account(caller).id, by: caller.caller)
                return Response(status: .noContent)
            },
            Endpoint(.put, "\(Self.one)/channels/{channel}", Self.administers, handler: grant),
            Endpoint(.post, "\(Self.one)/password-link", Self.administers) { _, caller in
                let link = try await context.required().passwordResetLink(
                    for: try await account(caller).id, by: caller.caller)
                return APIResources.oneTimeLink(link.link, address: context.address(AccountPath.newPassword, link))
                    .response(status: .created)
            },
            Endpoint(.delete, "\(Self.one)/second-factor", Self.administers) { _, caller in
                try await context.required().removeSecondFactor(of: try await account(caller).id, by: caller.caller)
                return Response(status: .noContent)
            },
        ]
    }

    private func account(_ caller: GatewayRequestContext) async throws -> Account {
        try await context.required().account(named: try caller.parameters.require("name"), by: caller.caller)
    }

    private func answer(
        _ account: Account, _ caller: GatewayRequestContext, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let grants = try await context.required().channelGrants(of: account.id, by: caller.caller)
        return APIResources.account(account, grants: grants).response(status: status)
            .adding(.eTag, "\"\(account.revision)\"")
    }

    private func list(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let page = try PageRequest(request, defaultLimit: AccountsPage<Account>.defaultSize)
        let filter = AccountFilter(
            state: try Self.parameter("state", AccountState.self, request),
            role: try Self.parameter("role", Role.self, request), prefix: page.query)
        let accounts = try await context.required().accounts(
            filter, after: page.cursor, limit: page.limit, by: caller.caller)
        return APIResources.page(accounts.items.map { APIResources.account($0) }, next: accounts.next).response()
    }

    private static func parameter<Value: RawRepresentable<String> & CaseIterable>(
        _ name: String, _ type: Value.Type, _ request: Request
    ) throws -> Value? {
        guard let text = PageRequest.value(of: name, in: request), !text.isEmpty else { return nil }
        guard let value = Value(rawValue: text) else {
            let allowed = Value.allCases.map(\.rawValue).joined(separator: ", ")
            throw ProblemDetails(.unprocessableContent, "\"\(name)\" must be one of \(allowed)")
        }
        return value
    }

    private func create(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let body = try await AccountsBody(
            request, fields: ["username", "email", "password", "invitation", "role"] + AccountsBody.profileFields)
        let accounts = try context.required()
        let registration = Registration(
            username: try body.required("username"), email: try body.text("email"),
            password: try body.required("password"), profile: try body.profile(),
            invitation: try body.text("invitation"))
        if let role = try body.value("role", Role.self) {
            let account = try await accounts.createAccount(registration, role: role, by: caller.caller)
            return try await answer(account, caller, status: .created)
        }
        let outcome = try await accounts.register(registration, from: caller.caller.origin)
        if let confirmation = outcome.confirmation {
            context.send(.confirmation(confirmation, of: outcome.account), request)
        }
        var response = APIResources.account(outcome.account).response(status: .created)
        if let session = outcome.session {
            if caller.identity.session != nil { try? await accounts.logOut(caller.caller) }
            response.headers[.setCookie] = SessionCookie.setting(
                session, isSecure: context.isSecure(request), now: session.session.createdAt)
        }
        return response
    }

    private func change(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let body = try await AccountsBody(request, fields: ["role", "state", "password"])
        let (role, state) = (try body.value("role", Role.self), try body.value("state", AccountState.self))
        let password = try body.text("password")
        let accounts = try context.required()
        var account = try await account(caller)
        if let expected = request.headers[.ifMatch], expected != "*", expected != "\"\(account.revision)\"" {
            throw ProblemDetails(.preconditionFailed, "the account was changed meanwhile; read it again")
        }
        // What is most likely refused goes first, because each change is one of its own.
        if let password {
            try await accounts.setPassword(to: password, of: account.id, by: caller.caller)
            context.send(.passwordChanged(of: account), request)
        }
        if let role {
            account = try await accounts.setRole(role, of: account.id, by: caller.caller)
        }
        switch state {
        case nil: break
        case .suspended: account = try await accounts.suspend(account.id, by: caller.caller)
        case .active where account.state == .suspended:
            account = try await accounts.restore(account.id, by: caller.caller)
        case .active: account = try await accounts.approve(account.id, by: caller.caller)
        case .awaitingApproval, .awaitingConfirmation:
            throw AccountsError(.invalidField, "the field `state` can be set to active or suspended", fields: ["state"])
        }
        return try await answer(try await accounts.account(account.id, by: caller.caller), caller)
    }

    private func grant(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let body = try await AccountsBody(request, fields: ["permissions"])
        let actions = try ActionSet(parsing: (try body.texts("permissions") ?? []).joined(separator: ","))
        let account = try await account(caller)
        try await context.required().grant(
            actions, on: try caller.parameters.require("channel"), to: account.id, by: caller.caller)
        return try await answer(account, caller)
    }
}
