package import Accounts

/// The credential of a program that pushes or plays with an account, or with a token of another system.
package enum MediaCredential: Sendable, Hashable {
    /// A username with an app password, an API token or a password of another system.
    case password(username: String, secret: String)
    /// A token.
    case token(String)
    /// The session of a browser, from a cookie.
    case session(String)

    /// The secret, wherever it stands.
    package var secret: String {
        switch self {
        case .password(_, let secret), .token(let secret), .session(let secret): secret
        }
    }

    /// The account that it belongs to; `nil` if it is not one of an account.
    ///
    /// A session is for browsers, and its secret in a URL would end up where others read it.
    ///
    /// - Parameters:
    ///   - accounts: the accounts.
    ///   - origin: where it comes from.
    package func principal(in accounts: Accounts, from origin: RequestOrigin) async throws -> Principal? {
        switch self {
        case .token(let text): return try await accounts.principal(apiToken: text, from: origin)
        case .session(let text): return try await accounts.principal(session: text, from: origin)
        case .password(let username, let secret):
            if let found = try await accounts.principal(username, appPassword: secret, from: origin) { return found }
            guard let found = try await accounts.principal(apiToken: secret, from: origin) else { return nil }
            return found.member?.username.lowercased() == username.lowercased() ? found : nil
        }
    }

    /// Whether the secret has the form of one of an account's.
    package var couldBeAnAccounts: Bool {
        switch self {
        case .token, .session: true
        case .password(_, let secret):
            Secret(.appPassword, parsing: secret) != nil || Secret(.apiToken, parsing: secret) != nil
        }
    }

    /// The question to the operator's program about a client that sends it by RTSP.
    ///
    /// - Parameters:
    ///   - action: what they want to do.
    ///   - path: the path of the media without the slash in front.
    ///   - origin: where it comes from.
    package func hookQuestion(_ action: HookQuestion.Action, path: String, from origin: RequestOrigin) -> HookQuestion {
        var question = HookQuestion(action, .rtsp, path: path, address: origin.address)
        switch self {
        case .token(let text): question.token = text
        // A session says nothing to other programs.
        case .session: break
        case .password(let user, let secret): (question.user, question.password) = (user, secret)
        }
        return question
    }
}
