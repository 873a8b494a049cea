/// The answer to a device that asks whether somebody has approved it (RFC 8628 §3.5).
package enum DevicePoll: Sendable, Hashable {
    /// `authorization_pending`
    case pending
    /// `slow_down`: polls have to be further apart from now on; the value is the new interval.
    case slowDown(Duration)
    /// `access_denied`
    case denied
    /// `expired_token`
    case expired
    case approved(NewSession)
}
