import MediaCore
import WebAuthentication

extension RelyingParty {
    private var verifier: CeremonyVerifier { CeremonyVerifier(domain: id, origins: origins) }

    /// Checks the form of a new passkey.
    ///
    /// - Returns: the challenge that the caller has to know, and what was made.
    /// - Throws: `Refusal` with `passkeyNotValid`.
    func check(
        _ attestation: PasskeyAttestation
    ) throws(Refusal) -> (challenge: String, data: AuthenticatorData, credential: AuthenticatorData.Credential) {
        do { return try verifier.check(attestation) } catch { throw Self.notValid(error.reason) }
    }

    /// Checks the form of a passkey's use, but its signature.
    ///
    /// - Returns: the challenge that the caller has to know, and what was signed.
    /// - Throws: `Refusal` with `passkeyNotValid`.
    func check(
        _ assertion: PasskeyAssertion
    ) throws(Refusal) -> (challenge: String, data: AuthenticatorData, signed: [UInt8]) {
        do { return try verifier.check(assertion) } catch { throw Self.notValid(error.reason) }
    }

    static func notValid(_ reason: String) -> Refusal {
        Refusal(.passkeyNotValid, "the passkey cannot be used: \(reason)")
    }
}
