package import Accounts

/// The sender of a request, and the credential that showed it.
package struct RequestIdentity: Sendable {
    package var caller: Caller
    /// The secret of the session cookie, if it was the credential.
    package var session: Secret?
    /// The credential of a device that keeps offline copies, whose handler finds out which it is; `nil` for everybody
    /// else. The caller is then a stranger.
    package var device: Secret?
    /// Whether the request has a session cookie of a session that has ended; the response removes the cookie.
    package var hasStaleCookie = false
    /// Whether the session cookie of the request has the name for HTTPS.
    package var hasSecureCookie = false
    /// Whether the credential is in a header, which no other site can make a browser send.
    package var isFromHeader = false
    /// The rules at the time of the request.
    package var permissions: Permissions
    /// The rules for audiences at the time of the request.
    package var audiences = AudienceRules()
    /// Whether everybody may read the metrics.
    package var mayReadMetrics = false

    package init(_ caller: Caller, permissions: Permissions) {
        (self.caller, self.permissions) = (caller, permissions)
    }
}
