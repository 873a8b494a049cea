import Crypto
import MediaCore

/// Checks what authenticators answer, for one server (WebAuthn Level 2 §7). Challenges and signatures are checked by
/// the caller, who stores the challenges and the keys.
package struct CeremonyVerifier: Sendable {
    /// The server's domain: the identifier of the relying party.
    private let domain: String
    /// The origins of the server's pages, such as `https://tv.example.org`.
    private let origins: Set<String>

    package init(domain: String, origins: Set<String>) {
        (self.domain, self.origins) = (domain, origins)
    }

    private static let creation = "webauthn.create"
    private static let use = "webauthn.get"
    /// Longer than an attestation with certificates.
    private static let maximumAttestationByteCount = 32_768
    private static let maximumSignatureByteCount = 1_024

    /// Checks the form of a new passkey (WebAuthn Level 2 §7.1). What the authenticator says about its maker is not
    /// looked at: passkeys of every maker are welcome.
    ///
    /// - Returns: the challenge that the caller has to know, and what was made.
    /// - Throws: ``CeremonyError``.
    package func check(
        _ attestation: PasskeyAttestation
    ) throws(CeremonyError) -> (challenge: String, data: AuthenticatorData, credential: AuthenticatorData.Credential) {
        let client = try clientData(attestation.clientDataJSON, Self.creation)
        var rest = attestation.attestationObject[...]
        guard rest.count <= Self.maximumAttestationByteCount, let object = CBORValue(parsing: &rest), rest.isEmpty,
            object["fmt"] != nil, let bytes = object["authData"]?.byteString,
            let data = AuthenticatorData(parsing: bytes), let credential = data.credential
        else { throw CeremonyError("its format is unknown") }
        try check(data)
        guard PasskeyKey(parsing: credential.key) != nil else { throw CeremonyError("its algorithm is not supported") }
        return (client.challenge, data, credential)
    }

    /// Checks the form of a passkey's use (WebAuthn Level 2 §7.2), but its signature.
    ///
    /// - Returns: the challenge that the caller has to know, and what was signed.
    /// - Throws: ``CeremonyError``.
    package func check(
        _ assertion: PasskeyAssertion
    ) throws(CeremonyError) -> (challenge: String, data: AuthenticatorData, signed: [UInt8]) {
        let client = try clientData(assertion.clientDataJSON, Self.use)
        guard assertion.signature.count <= Self.maximumSignatureByteCount,
            let data = AuthenticatorData(parsing: assertion.authenticatorData)
        else { throw CeremonyError("its format is unknown") }
        try check(data)
        return (
            client.challenge, data, assertion.authenticatorData + Array(SHA256.hash(data: assertion.clientDataJSON))
        )
    }

    private func clientData(_ bytes: [UInt8], _ type: String) throws(CeremonyError) -> ClientData {
        guard let client = ClientData(parsing: bytes), client.type == type else {
            throw CeremonyError("its format is unknown")
        }
        guard origins.contains(client.origin), client.crossOrigin != true else {
            throw CeremonyError(
                "it was used on \(Self.quoted(client.origin)), which is not an address of this server")
        }
        return client
    }

    private func check(_ data: AuthenticatorData) throws(CeremonyError) {
        guard data.relyingPartyDigest == Array(SHA256.hash(data: Array(domain.utf8))) else {
            throw CeremonyError("it belongs to another server")
        }
        guard data.isUserPresent, data.isUserVerified else {
            throw CeremonyError("the device did not verify the user by fingerprint, face or PIN")
        }
    }

    /// Length limit of an origin that is repeated in a reason.
    private static let maximumQuotedCharacterCount = 80

    /// A value from a client in quotation marks, without what could harm a log or a terminal.
    private static func quoted(_ text: String) -> String {
        "\"\(UntrustedText.escaped(text, maximumCharacterCount: maximumQuotedCharacterCount))\""
    }
}
