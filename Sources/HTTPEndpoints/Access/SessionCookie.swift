package import Accounts
package import HTTPTypes
package import MediaCore

/// The cookie that holds the secret of a session.
///
/// Over HTTPS its name has the prefix `__Host-` (RFC 6265bis §4.1.3.2), with which a browser takes it from this very
/// host only: a site with another name under the same domain cannot plant a session of its own.
package enum SessionCookie {
    /// The name over HTTP.
    package static let name = "antena_session"
    /// The name over HTTPS.
    package static let secureName = "__Host-antena_session"

    /// A cookie of a request.
    struct Found: Sendable, Hashable {
        /// The secret, or an empty or other text that is none.
        var text: String
        /// Whether it has the name for HTTPS.
        var isSecure: Bool

        var name: String { isSecure ? SessionCookie.secureName : SessionCookie.name }
    }

    /// The cookie of a request; `nil` without one. That of HTTPS goes first.
    static func found(in fields: HTTPFields) -> Found? {
        if let text = RequestCookie.value(named: secureName, in: fields) { return Found(text: text, isSecure: true) }
        return RequestCookie.value(named: name, in: fields).map { Found(text: $0, isSecure: false) }
    }

    /// The secret in the cookie of a request; `nil` without one.
    package static func secret(in fields: HTTPFields) -> String? { found(in: fields)?.text }

    /// The value of `Set-Cookie` for a session that has begun.
    ///
    /// - Parameters:
    ///   - session: the new session.
    ///   - isSecure: whether the visitor uses HTTPS; the cookie is then never sent without.
    ///   - now: the time from which the cookie's age counts.
    package static func setting(_ session: NewSession, isSecure: Bool, now: WallClockTime) -> String {
        var value = "\(name(isSecure))=\(session.secret.text)\(attributes(isSecure: isSecure))"
        if session.session.isPersistent {
            value += "; Max-Age=\(max(0, Int64((session.session.expiresAt - now).seconds)))"
        }
        return value
    }

    /// The value of `Set-Cookie` that removes the cookie.
    package static func removing(isSecure: Bool) -> String {
        "\(name(isSecure))=\(attributes(isSecure: isSecure)); Max-Age=0"
    }

    private static func name(_ isSecure: Bool) -> String { isSecure ? secureName : name }

    private static func attributes(isSecure: Bool) -> String {
        "; Path=/; HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "")
    }
}
