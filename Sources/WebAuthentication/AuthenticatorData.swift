/// The data that an authenticator has signed (WebAuthn Level 2 §6.1).
package struct AuthenticatorData: Sendable, Hashable {
    /// A credential that was made (§6.5.1).
    package struct Credential: Sendable, Hashable {
        package var id: [UInt8]
        /// The public key as it came, in CBOR.
        package var key: [UInt8]
    }

    package var relyingPartyDigest: [UInt8]
    /// The user has touched the authenticator.
    package var isUserPresent: Bool
    /// The authenticator has asked for a fingerprint, face or PIN.
    package var isUserVerified: Bool
    /// The passkey can be copied to other devices of its owner.
    package var isBackupEligible: Bool
    package var signatureCount: UInt32
    /// `nil` in an assertion.
    package var credential: Credential?

    /// Longer than the data of any key.
    package static let maximumByteCount = 8_192
    /// §5.8.3 of WebAuthn Level 3.
    package static let maximumCredentialIDByteCount = 1_023
    private static let digestByteCount = 32
    private static let authenticatorIDByteCount = 16

    /// - Returns: `nil` if the bytes are not of this form.
    package init?(parsing bytes: [UInt8]) {
        guard bytes.count <= Self.maximumByteCount else { return nil }
        var rest = bytes[...]
        func take(_ count: Int) -> ArraySlice<UInt8>? {
            guard rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }
        guard let digest = take(Self.digestByteCount), let flags = take(1)?.first, let count = take(4) else {
            return nil
        }
        relyingPartyDigest = Array(digest)
        isUserPresent = flags & 0x01 != 0
        isUserVerified = flags & 0x04 != 0
        isBackupEligible = flags & 0x08 != 0
        signatureCount = count.reduce(0) { $0 << 8 | UInt32($1) }
        if flags & 0x40 != 0 {
            guard take(Self.authenticatorIDByteCount) != nil, let length = take(2) else { return nil }
            let idByteCount = length.reduce(0) { $0 << 8 | Int($1) }
            guard (1...Self.maximumCredentialIDByteCount).contains(idByteCount), let id = take(idByteCount) else {
                return nil
            }
            let start = rest
            guard CBORValue(parsing: &rest) != nil else { return nil }
            credential = Credential(id: Array(id), key: Array(start.prefix(start.count - rest.count)))
        }
        if flags & 0x80 != 0 {
            // Extensions: nothing was asked for, so whatever is there does not matter.
            guard case .map = CBORValue(parsing: &rest) else { return nil }
        }
        guard rest.isEmpty else { return nil }
    }
}
