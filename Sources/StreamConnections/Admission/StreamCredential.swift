/// The credential of a publisher that pushes with an account.
package enum StreamCredential: Sendable, Hashable {
    /// Basic authentication: a username with an app password or API token in place of the password.
    case password(username: String, secret: String)
    /// A token in the URL's query, as `?token=…` or `?jwt=…`.
    case token(String)
    /// The session of somebody who is logged in on the site, from the cookie of the site's own page.
    case session(String)

    /// The username; `nil` for a token.
    package var username: String? { if case .password(let username, _) = self { username } else { nil } }
}
