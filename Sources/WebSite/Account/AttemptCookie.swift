import HTTPEndpoints
import HTTPTypes

/// The cookie with which a browser shows that it has begun a log-in with an identity provider.
enum AttemptCookie {
    private static let name = "antena_attempt"
    /// Sent to the page that the provider leads to, and to no other.
    private static let path = "/cuenta/proveedor/"
    /// The same as `LogInAttempt.lifetime`, in seconds.
    private static let maximumAge = 600

    /// The value of a `Set-Cookie` field. `Lax`, because the provider's page leads back with a GET.
    static func setting(_ sealed: String, isSecure: Bool) -> String {
        "\(name)=\(sealed); Path=\(path); Max-Age=\(maximumAge); HttpOnly; SameSite=Lax\(isSecure ? "; Secure" : "")"
    }

    static func removing(isSecure: Bool) -> String {
        "\(name)=; Path=\(path); Max-Age=0; HttpOnly; SameSite=Lax\(isSecure ? "; Secure" : "")"
    }

    static func value(in fields: HTTPFields) -> String? { RequestCookie.value(named: name, in: fields) }
}
