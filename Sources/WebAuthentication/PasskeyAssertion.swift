/// The answer of an authenticator that uses a passkey (WebAuthn Level 2, `AuthenticatorAssertionResponse`).
package struct PasskeyAssertion: Sendable {
    /// `rawId`
    package var credentialID: [UInt8]
    package var clientDataJSON: [UInt8]
    package var authenticatorData: [UInt8]
    package var signature: [UInt8]

    package init(
        credentialID: [UInt8], clientDataJSON: [UInt8], authenticatorData: [UInt8], signature: [UInt8]
    ) {
        (self.credentialID, self.clientDataJSON) = (credentialID, clientDataJSON)
        (self.authenticatorData, self.signature) = (authenticatorData, signature)
    }
}
