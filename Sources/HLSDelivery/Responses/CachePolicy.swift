/// Values of `Cache-Control` that several parts of the gateway share.
package enum CachePolicy {
    /// Lets caches keep a response for a year (RFC 8246). Only for URLs whose content never changes
    /// (docs/decisions.md), because they name a revision or an epoch that the server checks.
    package static let immutable = immutable(seconds: immutableSeconds)
    /// The time in ``immutable``.
    static let immutableSeconds: Int64 = 31_536_000

    /// The same for a shorter time.
    static func immutable(seconds: Int64) -> String { "public, max-age=\(seconds), immutable" }
}
