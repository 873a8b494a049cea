import APIContract
import APIDeclarations
import Accounts
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
import Workflows

/// `/api/v1/users`: signing up, and what administrators do with accounts.
struct UserEndpoints: Sendable {
    let context: AccountsEndpoints

    private static let administers = AccessRule.needs(.administer, .accounts)

    var endpoints: [Endpoint] {
        [
            Endpoint(AccountAPI.listUsers, .needs(.read, .accounts), handler: list),
            Endpoint(
                AccountAPI.createUser,
                .anyone(.any, reason: "clients are strangers before they sign up; a role needs permission"),
                handler: create),
            Endpoint(AccountAPI.getUser, .needs(.read, .accounts)) { _, caller in
                try await answer(try await account(caller), caller)
            },
            Endpoint(AccountAPI.changeUser, Self.administers, handler: change),
            Endpoint(AccountAPI.deleteUser, Self.administers) { _, caller in
                _ = try await context.accounts.removeAccount(try await account(caller).id, by: caller.caller)
                return Response(status: .noContent)
            },
            Endpoint(AccountAPI.setUserPermissions, Self.administers, handler: grant),
            Endpoint(AccountAPI.makePasswordLink, Self.administers) { _, caller in
                let link = try await context.accounts.passwordResetLink(
                    for: try await account(caller).id, by: caller.caller)
                return APIResources.oneTimeLink(link.link, address: context.address(AccountPath.newPassword, link))
                    .response(status: .created)
            },
            Endpoint(AccountAPI.resetUserSecondFactor, Self.administers) { _, caller in
                try await context.accounts.removeSecondFactor(of: try await account(caller).id, by: caller.caller)
                return Response(status: .noContent)
            },
        ]
    }

    private func account(_ caller: GatewayRequestContext) async throws -> Account {
        try await context.accounts.account(named: try caller.parameters.require("name"), by: caller.caller)
    }

    private func answer(
        _ account: Account, _ caller: GatewayRequestContext, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let grants = try await context.accounts.channelGrants(of: account.id, by: caller.caller)
        return APIResources.account(account, grants: grants).response(status: status)
            .adding(.eTag, EntityTag(account.revision).field)
    }

    private func list(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let page = try PageRequest(request)
        let filter = AccountFilter(
            state: try PageRequest.choice("state", in: request), role: try PageRequest.choice("role", in: request),
            prefix: page.query)
        let accounts = try await context.accounts.accounts(
            filter, after: page.cursor, limit: page.limit)
        return APIPage(accounts.items.map { APIResources.account($0) }, next: accounts.next).response()
    }

    private func create(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let accounts = context.accounts
        let form =
            FileForm.isForm(request) ? try await context.photos.form(request, from: caller.uploadSender) : nil
        let body =
            if let form { try BodyFields(form, NewAccountFields.self) } else {
                try await BodyFields(request, NewAccountFields.self)
            }
        let registration = Registration(
            username: try body.required(\.username), email: try body.text(\.email),
            password: try body.required(\.password), profile: try body.profile(),
            invitation: try body.text(\.invitation))
        if let role = try body.value(\.role, Role.self) {
            try caller.require(.administer, .accounts)
            let new = try await accounts.createAccount(registration, role: role, by: caller.caller)
            let account = try await context.photos.setFirst(
                form?.file, of: new, in: accounts, from: caller.caller.origin
            ).account
            return try await answer(account, caller, status: .created)
        }
        let outcome = try await accounts.register(registration, from: caller.caller.origin)
        if let confirmation = outcome.confirmation {
            context.send(.confirmation(confirmation, of: outcome.account), request)
        }
        let account = try await context.photos.setFirst(
            form?.file, of: outcome.account, in: accounts, from: caller.caller.origin
        ).account
        var response = APIResources.account(account).response(status: .created)
        if let session = outcome.session {
            if caller.identity.session != nil { try? await accounts.logOut(caller.caller) }
            response.headers[.setCookie] = SessionCookie.setting(
                session, isSecure: context.isSecure(request), now: session.session.createdAt)
        }
        return response
    }

    private func change(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let body = try await BodyFields(request, AccountChangeFields.self)
        var change = AccountChange()
        change.role = try body.value(\.role, Role.self)
        change.password = try body.text(\.password)
        switch try body.value(\.state, AccountState.self) {
        case nil: break
        case .active: change.isUsable = true
        case .suspended: change.isUsable = false
        case .awaitingApproval, .awaitingConfirmation:
            throw Refusal(.invalidField, "the field `state` can be set to active or suspended", fields: ["state"])
        }
        change.suspensionTime = try body.integer(\.suspendedFor).map { .seconds($0) }
        guard change.suspensionTime == nil || change.isUsable == false else {
            throw Refusal(
                .invalidField, "the field `suspendedFor` goes with the state suspended", fields: ["suspendedFor"])
        }
        let account = try await account(caller)
        let changed = try await context.accounts.change(
            account.id, change, from: try IfMatch.required(in: request).revisions, by: caller.caller)
        if change.isUsable == false { context.send(.suspended(of: changed, note: ""), request) }
        if change.password != nil { context.send(.credentialsEnded(of: changed), request) }
        return try await answer(changed, caller)
    }

    private func grant(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let revisions = try IfMatch.required(in: request).revisions
        let body = try await BodyFields(request, PermissionGrantFields.self)
        let actions = try ActionSet(parsing: (try body.texts(\.permissions) ?? []).joined(separator: ","))
        let account = try await context.accounts.grant(
            actions, on: try caller.parameters.require("channel"), to: try await account(caller).id, from: revisions,
            by: caller.caller)
        return try await answer(account, caller)
    }
}
