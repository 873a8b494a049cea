import Foundation
package import MediaCore

extension Refusal {
    /// - Parameter end: the end of the suspension; `nil` for one without end.
    static func suspended(until end: WallClockTime?) -> Refusal {
        let time = end.map { " until \(Date($0).formatted(.iso8601))" } ?? ""
        var refusal = Refusal(
            .accountSuspended, "your account is suspended\(time); ask an administrator for the reason")
        refusal.suspendedUntil = end
        return refusal
    }

    package static func tooManyAttempts(_ what: String, retryAfter: Duration) -> Refusal {
        let seconds = max(1, Int64(retryAfter.seconds.rounded(.up)))
        return Refusal(
            .tooManyAttempts, "\(what); try again in \(seconds) \(seconds == 1 ? "second" : "seconds")",
            retryAfter: .seconds(seconds))
    }
}
