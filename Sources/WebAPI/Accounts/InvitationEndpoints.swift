import APIContract
import APIDeclarations
import Accounts
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore

/// `/api/v1/invitations`: one-time links with which people sign up.
struct InvitationEndpoints: Sendable {
    let context: AccountsEndpoints

    private static let administers = AccessRule.needs(.administer, .accounts)

    var endpoints: [Endpoint] {
        [
            Endpoint(AccountAPI.listInvitations, Self.administers) { _, caller in
                let links = try await context.accounts.invitations()
                return APIPage(links.map { APIResources.oneTimeLink($0) }).response()
            },
            Endpoint(AccountAPI.createInvitation, Self.administers) { request, caller in
                let body = try await BodyFields(request, NewInvitationFields.self)
                let accounts = context.accounts
                let link = try await accounts.invite(
                    role: try body.value(\.role, Role.self) ?? accounts.settings.initialRole,
                    email: try body.text(\.email), by: caller.caller)
                return APIResources.oneTimeLink(link.link, address: context.address(AccountPath.signUp, link))
                    .response(status: .created)
            },
            Endpoint(AccountAPI.deleteInvitation, Self.administers) { _, caller in
                guard let id = OpaqueID(parsing: try caller.parameters.require("id")) else {
                    throw Refusal(.notFound, "there is no such invitation")
                }
                try await context.accounts.revokeInvitation(id, by: caller.caller)
                return Response(status: .noContent)
            },
        ]
    }
}
