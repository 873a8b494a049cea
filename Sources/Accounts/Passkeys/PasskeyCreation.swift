/// The options with which a browser makes a passkey (WebAuthn Level 2, `PublicKeyCredentialCreationOptions`).
/// Attestation is `none`; resident key and user verification are required.
package struct PasskeyCreation: Sendable, Hashable {
    /// Base64url.
    package var challenge: String
    package var relyingPartyID: String
    package var relyingPartyName: String
    /// `user.id`, base64url.
    package var userID: String
    package var username: String
    /// `alg` of `pubKeyCredParams`, in this order.
    package var algorithms: [Int]
    /// `excludeCredentials`, base64url.
    package var excludedCredentials: [String]
}
