/// The options with which a browser asks for a passkey (WebAuthn Level 2, `PublicKeyCredentialRequestOptions`). No
/// credentials are named, so that nothing shows which accounts exist; user verification is required.
package struct PasskeyRequest: Sendable, Hashable {
    /// Base64url.
    package var challenge: String
    package var relyingPartyID: String
}
