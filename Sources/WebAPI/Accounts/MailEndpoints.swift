import APIContract
import APIDeclarations
import Accounts
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import Workflows

/// `/api/v1/password-resets` and `/api/v1/email-confirmations`: what somebody asks for by mail, and what the link in it
/// is used for.
struct MailEndpoints: Sendable {
    let context: AccountsEndpoints

    private static let asking = AccessRule.anyone(.any, reason: "clients that wait for a mail cannot log in")
    private static let using = AccessRule.anyone(.any, reason: "the link is the credential")

    var endpoints: [Endpoint] {
        [
            Endpoint(AccountAPI.requestPasswordReset, Self.asking) { request, caller in
                try await ask(request, caller) { .passwordReset($0) }
            },
            Endpoint(AccountAPI.resetPassword, Self.using) { request, caller in
                let body = try await BodyFields(request, PasswordResetFields.self)
                let account = try await context.accounts.resetPassword(
                    try body.required(\.link), to: try body.required(\.password), from: caller.caller.origin)
                context.send(.credentialsEnded(of: account), request)
                return Response(status: .noContent)
            },
            Endpoint(AccountAPI.requestEmailConfirmation, Self.asking) { request, caller in
                try await ask(request, caller) { .confirmationAgain($0) }
            },
            Endpoint(AccountAPI.confirmEmail, Self.using) { request, caller in
                let body = try await BodyFields(request, ConfirmationLinkFields.self)
                let account = try await context.accounts.confirmEmail(
                    try body.required(\.link), from: caller.caller.origin)
                return ConfirmedAccountFields.object {
                    [
                        $0.username(account.username),
                        $0.state(AccountStateName(account.state.rawValue)),
                    ]
                }.response()
            },
        ]
    }

    /// The answer is the same whether or not there is an account with the address, and does not wait for the look-up.
    private func ask(
        _ request: Request, _ caller: GatewayRequestContext, mail: (EmailAddress) -> AccountMail
    ) async throws -> Response {
        let body = try await BodyFields(request, MailRequestFields.self)
        let email = try context.accounts.admitMail(to: try body.required(\.email), from: caller.caller.origin)
        context.send(mail(email), request)
        return Response(status: .accepted)
    }
}
