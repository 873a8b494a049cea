import Crypto

extension RelyingParty {
    private static let creation = "webauthn.create"
    private static let use = "webauthn.get"
    /// Longer than an attestation with certificates.
    private static let maximumAttestationByteCount = 32_768
    private static let maximumSignatureByteCount = 1_024

    /// Checks the form of a new passkey (WebAuthn Level 2 §7.1). What the authenticator says about its maker is not
    /// looked at: passkeys of every maker are welcome.
    ///
    /// - Returns: the challenge that the caller has to know, and what was made.
    /// - Throws: ``AccountsError`` with `passkeyNotValid`.
    func check(
        _ attestation: PasskeyAttestation
    ) throws(AccountsError) -> (challenge: String, data: AuthenticatorData, credential: AuthenticatorData.Credential) {
        let client = try clientData(attestation.clientDataJSON, Self.creation)
        var rest = attestation.attestationObject[...]
        guard rest.count <= Self.maximumAttestationByteCount, let object = CBORValue(parsing: &rest), rest.isEmpty,
            object["fmt"] != nil, let bytes = object["authData"]?.byteString,
            let data = AuthenticatorData(parsing: bytes), let credential = data.credential
        else { throw Self.notValid("its form is not known") }
        try check(data)
        guard PasskeyKey(parsing: credential.key) != nil else { throw Self.notValid("its algorithm is not supported") }
        return (client.challenge, data, credential)
    }

    /// Checks the form of a passkey's use (WebAuthn Level 2 §7.2), but its signature.
    ///
    /// - Returns: the challenge that the caller has to know, and what was signed.
    /// - Throws: ``AccountsError`` with `passkeyNotValid`.
    func check(
        _ assertion: PasskeyAssertion
    ) throws(AccountsError) -> (challenge: String, data: AuthenticatorData, signed: [UInt8]) {
        let client = try clientData(assertion.clientDataJSON, Self.use)
        guard assertion.signature.count <= Self.maximumSignatureByteCount,
            let data = AuthenticatorData(parsing: assertion.authenticatorData)
        else { throw Self.notValid("its form is not known") }
        try check(data)
        return (
            client.challenge, data, assertion.authenticatorData + Array(SHA256.hash(data: assertion.clientDataJSON))
        )
    }

    private func clientData(_ bytes: [UInt8], _ type: String) throws(AccountsError) -> ClientData {
        guard let client = ClientData(parsing: bytes), client.type == type else {
            throw Self.notValid("its form is not known")
        }
        guard origins.contains(client.origin), client.crossOrigin != true else {
            throw Self.notValid(
                "it was used on \(AccountsError.quoted(client.origin)), which is not an address of this server")
        }
        return client
    }

    private func check(_ data: AuthenticatorData) throws(AccountsError) {
        guard data.relyingPartyDigest == Array(SHA256.hash(data: Array(id.utf8))) else {
            throw Self.notValid("it belongs to another server")
        }
        guard data.isUserPresent, data.isUserVerified else {
            throw Self.notValid("the device has not asked for a fingerprint, face or PIN")
        }
    }

    static func notValid(_ reason: String) -> AccountsError {
        AccountsError(.passkeyNotValid, "the passkey cannot be used: \(reason)")
    }
}
