package import Accounts
import HTTPTypes
package import MediaCore

/// The cookie that holds the secret of a session.
package enum SessionCookie {
    package static let name = "antena_session"

    /// The secret in a request's cookie; `nil` without one, an empty text for one that is no secret.
    static func text(in fields: HTTPFields) -> String? { RequestCookie.value(named: name, in: fields) }

    /// The value of `Set-Cookie` for a session that has begun.
    ///
    /// - Parameters:
    ///   - session: the new session.
    ///   - isSecure: whether the visitor uses HTTPS; the cookie is then never sent without.
    ///   - now: the time from which the cookie's age counts.
    package static func setting(_ session: NewSession, isSecure: Bool, now: WallClockTime) -> String {
        var value = "\(name)=\(session.secret.text)\(attributes(isSecure: isSecure))"
        if session.session.isPersistent {
            value += "; Max-Age=\(max(0, Int64((session.session.expiresAt - now).seconds)))"
        }
        return value
    }

    /// The value of `Set-Cookie` that removes the cookie.
    package static func removing(isSecure: Bool) -> String {
        "\(name)=\(attributes(isSecure: isSecure)); Max-Age=0"
    }

    private static func attributes(isSecure: Bool) -> String {
        "; Path=/; HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "")
    }
}
