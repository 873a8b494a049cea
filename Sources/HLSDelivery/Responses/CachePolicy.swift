/// Values of `Cache-Control` that several parts of the gateway share.
package enum CachePolicy {
    /// Lets caches keep a response for a year (RFC 8246). Only for URLs whose content never changes
    /// (docs/decisions.md), because they name a revision or an epoch that the server checks, and stays public.
    package static let immutable = "public, max-age=\(immutableSeconds), immutable"
    /// The same for media, which is public today and may have a price tomorrow: players keep what they have got, and
    /// shared caches ask again after ``sharedSeconds``.
    package static let media = media(seconds: immutableSeconds)
    /// The time in ``immutable``.
    static let immutableSeconds: Int64 = 31_536_000
    /// The time in seconds for which shared caches keep what belongs to a channel, title or track. Less than a minute,
    /// with some seconds for the servers that learn of a change later.
    package static let sharedSeconds: Int64 = 50
    /// The time in seconds for which a proxy keeps the answer that something is for everyone.
    package static let openSeconds: Int64 = 10

    /// ``media`` for a shorter time.
    static func media(seconds: Int64) -> String {
        "public, max-age=\(seconds), s-maxage=\(min(seconds, sharedSeconds)), immutable"
    }

    /// Lets players keep an image for a time, and shared caches for ``sharedSeconds``.
    package static func image(seconds: Int64) -> String {
        "public, max-age=\(seconds), s-maxage=\(min(seconds, sharedSeconds))"
    }

    /// A policy without what lets shared caches store the response (RFC 9111 §5.2.2.7).
    package static func forOneViewer(_ policy: String) -> String {
        let directives = policy.split(separator: ",").map { $0.filter { $0 != " " } }
        return (["private"] + directives.filter { !["public", "private"].contains($0) && !$0.hasPrefix("s-maxage") })
            .joined(separator: ", ")
    }
}
