package import Accounts

/// The gate for publishers of a channel: accounts with permission, links for publishers, the tokens of another system,
/// and the operator's authorization hook.
package struct PublishingGate: Sendable {
    private let accounts: Accounts
    /// Links with which somebody without an account pushes; `nil` in tests without any.
    private let links: MediaLinks?
    /// Tokens that another system makes for publishers; `nil` if none does.
    private let tokens: MediaTokens?
    /// The operator's authorization hook, asked about publishers that nothing else admits; `nil` if there is none.
    private let hook: AuthorizationHook?

    /// - Parameters:
    ///   - accounts: the accounts.
    ///   - links: knows the links for publishers; `nil` for none.
    ///   - tokens: checks the tokens of another system; `nil` if none makes any.
    ///   - hook: asks the operator's program; `nil` if there is none.
    package init(
        accounts: Accounts, links: MediaLinks? = nil, tokens: MediaTokens? = nil, hook: AuthorizationHook? = nil
    ) {
        (self.accounts, self.links, self.tokens, self.hook) = (accounts, links, tokens, hook)
    }

    /// Decides about somebody who wants to push.
    ///
    /// - Parameters:
    ///   - credential: what they send, which has not been checked.
    ///   - channel: the channel's name.
    ///   - origin: where they are.
    package func decide(
        _ credential: MediaCredential, channel: String, from origin: RequestOrigin
    ) async -> PublishingVerdict {
        do {
            if let links, MediaLinks.isPublishSecret(credential.secret) {
                let link = try await links.publisher(with: credential.secret, to: channel, from: origin)
                return link.map { .admitted(name: "link \($0.id)") } ?? .refused
            }
            guard let principal = try await credential.principal(in: accounts, from: origin) else {
                return await decideWithoutAccount(credential, path: "live/\(channel).stream", origin)
            }
            guard let member = principal.member,
                accounts.may(principal, .publish, accounts.audiences.channel(channel)).isAllowed
            else { return .refused }
            return .admitted(name: member.username)
        } catch {
            return .unavailable
        }
    }

    /// Decides about a credential that is not one of an account.
    private func decideWithoutAccount(
        _ credential: MediaCredential, path: String, _ origin: RequestOrigin
    ) async -> PublishingVerdict {
        let secret = credential.secret
        if let tokens, MediaTokens.isToken(secret) {
            let end = try? await tokens.end(secret, MediaTokens.publishing, for: "/\(path)")
            return end.flatMap(\.self) == nil ? .refused : .admitted(name: "token of another system")
        }
        let question = credential.hookQuestion(.publish, path: path, from: origin)
        switch await hook?.answer(question) {
        case .allowed: return .admitted(name: question.user)
        case .unavailable: return .unavailable
        case .refused, nil: return credential.couldBeAnAccounts ? .refused : .notAnAccounts
        }
    }
}
