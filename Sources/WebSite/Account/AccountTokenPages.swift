import Accounts
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
import Workflows

/// The tokens and app passwords of any account, for administrators: what a lost device holds can be ended.
struct AccountTokenPages: Sendable {
    let pages: AccountPages

    private static let rule = AccessRule.needs(.administer, .accounts)
    private static let suffix = "/tokens"
    private static let item = "\(AccountPath.users)/{id}\(suffix)"

    static func path(of user: UserID) -> String { "\(AccountPath.users)/\(user.text)\(suffix)" }

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, Self.item, Self.rule) { request, context in
                try await page(of: try Self.user(context), request, context)
            },
            Endpoint(.post, Self.item, Self.rule) { request, context in
                let user = try Self.user(context)
                do {
                    guard let id = OpaqueID(parsing: try await FormFields(request)["id"] ?? "") else {
                        throw Refusal(.notFound, "the account has no such token")
                    }
                    try await pages.accounts.revokeToken(id, of: user, by: context.caller)
                    return pages.redirect(Self.path(of: user))
                } catch let error as Refusal {
                    return try await page(of: user, error: error, request, context)
                }
            },
        ]
    }

    /// - Throws: `ProblemDetails` with 404 for a path without an account's identifier.
    private static func user(_ context: GatewayRequestContext) throws -> UserID {
        guard let id = UserID(parsing: try context.parameters.require("id")) else { throw ProblemDetails(.notFound) }
        return id
    }

    private func page(
        of user: UserID, error: Refusal? = nil, _ request: Request, _ context: GatewayRequestContext
    ) async throws -> Response {
        let text = pages.text(request)
        let account = try await pages.accounts.account(user, by: context.caller)
        let tokens = try await pages.accounts.tokens(of: user, by: context.caller)
        let path = Self.path(of: user)
        return try pages.answer(
            "\(account.username): \(text.tokens)",
            [
                PageSection(
                    text: tokens.isEmpty ? text.noTokens : text.tokensText,
                    items: tokens.map { .init($0, PageForm.revoking(path, $0.id, text), text) },
                    links: [(AccountPath.users, text.goBack)])
            ], error: error.map(text.error), menu: AccountPath.users, request, context,
            status: error.map(AccountPages.status) ?? .ok)
    }
}

extension PageSection.Item {
    /// A line about a token: its kind, what it may do, and when it was last used.
    ///
    /// - Parameters:
    ///   - token: the token or app password.
    ///   - revoking: the form that ends it.
    ///   - text: the texts of the account pages.
    init(_ token: AccessToken, _ revoking: PageForm, _ text: AccountText) {
        self.init(
            text: token.name,
            detail: PageText(
                joining: [
                    PageText(token.kind == .appPassword ? text.appPassword : text.apiToken),
                    PageText(token.scope.actions.description.replacing(",", with: ", ")),
                    token.lastUsedAt.map { "\(text.lastUsed): \(text.ago($0))" },
                ], with: " · "),
            forms: [revoking])
    }
}
