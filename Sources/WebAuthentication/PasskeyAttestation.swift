/// The answer of an authenticator that has made a passkey (WebAuthn Level 2, `AuthenticatorAttestationResponse`).
package struct PasskeyAttestation: Sendable {
    package var clientDataJSON: [UInt8]
    package var attestationObject: [UInt8]

    package init(clientDataJSON: [UInt8], attestationObject: [UInt8]) {
        (self.clientDataJSON, self.attestationObject) = (clientDataJSON, attestationObject)
    }
}
