package import Crypto
package import CryptoExtras
import Foundation

/// The public key of a passkey, in the form of COSE (RFC 9053).
package enum PasskeyKey: Sendable {
    case es256(P256.Signing.PublicKey)
    case rs256(_RSA.Signing.PublicKey)
    case edDSA(Curve25519.Signing.PublicKey)

    /// The algorithms that authenticators are offered, the preferred one first (IANA COSE Algorithms).
    package static let algorithms = [-8, -7, -257]
    /// RSA keys of 2048 to 8192 bits.
    private static let modulusByteCounts = 256...1_024
    private static let maximumExponentByteCount = 8

    /// - Returns: `nil` for a key of another kind, and for one that is not a point of its curve.
    package init?(_ key: CBORValue) {
        switch (key[1]?.integer, key[3]?.integer) {
        case (2, -7):
            guard key[-1]?.integer == 1, let x = key[-2]?.byteString, let y = key[-3]?.byteString, x.count == 32,
                y.count == 32, let key = try? P256.Signing.PublicKey(rawRepresentation: x + y)
            else { return nil }
            self = .es256(key)
        case (1, -8):
            guard key[-1]?.integer == 6, let x = key[-2]?.byteString,
                let key = try? Curve25519.Signing.PublicKey(rawRepresentation: x)
            else { return nil }
            self = .edDSA(key)
        case (3, -257):
            guard let modulus = key[-1]?.byteString, let exponent = key[-2]?.byteString,
                Self.modulusByteCounts.contains(modulus.count), exponent.count <= Self.maximumExponentByteCount,
                let key = try? _RSA.Signing.PublicKey(n: modulus, e: exponent)
            else { return nil }
            self = .rs256(key)
        default: return nil
        }
    }

    /// Parses the bytes of a column.
    package init?(parsing bytes: [UInt8]) {
        var rest = bytes[...]
        guard let value = CBORValue(parsing: &rest), rest.isEmpty else { return nil }
        self.init(value)
    }

    package func isValid(_ signature: [UInt8], for data: [UInt8]) -> Bool {
        switch self {
        case .es256(let key):
            guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: data)
        case .edDSA(let key): return key.isValidSignature(signature, for: data)
        case .rs256(let key):
            return key.isValidSignature(
                _RSA.Signing.RSASignature(rawRepresentation: signature), for: SHA256.hash(data: data),
                padding: .insecurePKCS1v1_5)
        }
    }
}
