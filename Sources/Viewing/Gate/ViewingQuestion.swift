package import Accounts
package import MediaAccess

/// A viewer's request to watch, with all credentials that may admit it.
package struct ViewingQuestion: Sendable {
    /// The viewer's identity, by the credential of an account.
    package struct Identity: Sendable {
        package var caller: Caller
        package var permissions: Permissions

        package init(_ caller: Caller, _ permissions: Permissions) {
            (self.caller, self.permissions) = (caller, permissions)
        }
    }

    /// A JSON Web Token that another system has made.
    package struct Token: Sendable, Hashable {
        package var text: String
        /// Whether it stands in the address of the first request only.
        package var isInAddress: Bool

        package init(_ text: String, isInAddress: Bool) { (self.text, self.isInAddress) = (text, isInAddress) }
    }

    package var media: ViewedMedia
    /// Tells where the request comes from; called only if the players of a rental are counted.
    package var origin: @Sendable () -> RequestOrigin
    /// The text of the signature in the path; `nil` without one.
    package var signature: String?
    /// Reads the token of another system; called only on a server that accepts some. `nil` without one.
    package var token: @Sendable () -> Token? = { nil }
    /// Makes the question to the operator's program; called only if that is asked. `nil` if there is nothing to ask.
    package var hook: (@Sendable () -> HookQuestion)?
    /// Finds out who it is by the credential of an account; called at most once.
    ///
    /// It returns a stranger's identity without a credential, and `nil` for a wrong one. It throws if the database does
    /// not answer.
    package var identify: @Sendable () async throws -> Identity?

    /// - Parameters:
    ///   - media: what somebody wants to watch.
    ///   - origin: tells where the request comes from.
    ///   - identify: finds out who it is by the credential of an account.
    package init(
        _ media: ViewedMedia, from origin: @escaping @Sendable () -> RequestOrigin,
        identify: @escaping @Sendable () async throws -> Identity?
    ) {
        (self.media, self.origin, self.identify) = (media, origin, identify)
    }
}
