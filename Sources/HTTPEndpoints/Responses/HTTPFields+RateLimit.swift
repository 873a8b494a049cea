import Accounts
import HTTPTypes
import MediaCore

extension HTTPFields {
    private static let policyName = HTTPField.Name("RateLimit-Policy")
    private static let limitName = HTTPField.Name("RateLimit")

    /// Says how many requests are left (draft-ietf-httpapi-ratelimit-headers §§3 and 4), in whole seconds, rounded up.
    mutating func note(_ quota: RequestQuota) {
        func seconds(_ duration: Duration) -> Int64 { Int64(duration.seconds.rounded(.up)) }
        if let name = Self.policyName { self[name] = "\"member\";q=\(quota.count);w=\(seconds(quota.window))" }
        if let name = Self.limitName {
            self[name] = "\"member\";r=\(quota.remainingCount);t=\(seconds(quota.reset))"
        }
    }
}
