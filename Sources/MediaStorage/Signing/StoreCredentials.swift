package import MediaCore

/// The credentials that requests are signed with.
package struct StoreCredentials: Sendable, Hashable {
    package var accessKeyID: String
    package var secretAccessKey: String
    /// Belongs to temporary credentials.
    package var sessionToken: String?
    /// When the store stops accepting them; `nil` if they stay valid.
    package var expiration: WallClockTime?

    /// Creates credentials; the parameters are the properties of the same names.
    package init(
        accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil, expiration: WallClockTime? = nil
    ) {
        self.accessKeyID = accessKeyID
        self.secretAccessKey = secretAccessKey
        self.sessionToken = sessionToken
        self.expiration = expiration
    }
}

/// Secrets appear neither in descriptions nor in dumps.
extension StoreCredentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "credentials of \(accessKeyID.prefix(4))…" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
