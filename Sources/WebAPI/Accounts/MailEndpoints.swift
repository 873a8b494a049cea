import Accounts
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import JSONDocument
import Workflows

/// `/api/v1/password-resets` and `/api/v1/email-confirmations`: what somebody asks for by mail, and what the link in it
/// is used for.
struct MailEndpoints: Sendable {
    let context: AccountsEndpoints

    private static let resets = "/api/v1/password-resets"
    private static let confirmations = "/api/v1/email-confirmations"
    private static let asking = AccessRule.anyone(.any, reason: "clients that wait for a mail cannot log in")
    private static let using = AccessRule.anyone(.any, reason: "the link is the credential")

    var endpoints: [Endpoint] {
        [
            Endpoint(.post, Self.resets, Self.asking) { request, caller in
                try await ask(request, caller) { .passwordReset($0) }
            },
            Endpoint(.put, Self.resets, Self.using) { request, caller in
                let body = try await BodyFields(request, fields: ["link", "password"])
                let account = try await context.accounts.resetPassword(
                    try body.required("link"), to: try body.required("password"), from: caller.caller.origin)
                context.send(.credentialsEnded(of: account), request)
                return Response(status: .noContent)
            },
            Endpoint(.post, Self.confirmations, Self.asking) { request, caller in
                try await ask(request, caller) { .confirmationAgain($0) }
            },
            Endpoint(.put, Self.confirmations, Self.using) { request, caller in
                let body = try await BodyFields(request, fields: ["link"])
                let account = try await context.accounts.confirmEmail(
                    try body.required("link"), from: caller.caller.origin)
                return JSONText.object([
                    ("username", .string(account.username)), ("state", .string(account.state.rawValue)),
                ]).response()
            },
        ]
    }

    /// The answer is the same whether or not there is an account with the address, and does not wait for the look-up.
    private func ask(
        _ request: Request, _ caller: GatewayRequestContext, mail: (EmailAddress) -> AccountMail
    ) async throws -> Response {
        let body = try await BodyFields(request, fields: ["email"])
        let email = try context.accounts.admitMail(to: try body.required("email"), from: caller.caller.origin)
        context.send(mail(email), request)
        return Response(status: .accepted)
    }
}
