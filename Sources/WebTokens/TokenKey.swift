import Foundation
import JWTKit

/// A key that checks tokens, with the one algorithm for which it is used. The key decides the algorithm, never the
/// token: a public RSA key cannot be taken for the secret of an HMAC.
package struct TokenKey: Sendable {
    /// The key ID (RFC 7517 §4.5); `nil` for a key that is used for tokens with any or none.
    package let id: String?
    package let algorithm: TokenAlgorithm
    let keys: JWTKeyCollection

    /// The shortest secret: as long as the hash (RFC 7518 §3.2).
    package static let minimumSecretByteCount = 32

    /// A secret for HS256.
    ///
    /// - Throws: ``TokenError`` if it is too short.
    package static func secret(_ bytes: [UInt8]) async throws -> TokenKey {
        guard bytes.count >= minimumSecretByteCount else {
            throw TokenError(.badKey, "a secret for HS256 has at least \(minimumSecretByteCount) bytes")
        }
        let keys = JWTKeyCollection()
        await keys.add(hmac: HMACKey(from: bytes), digestAlgorithm: .sha256)
        return TokenKey(id: nil, algorithm: .hs256, keys: keys)
    }

    /// The public keys of a JSON Web Key Set (RFC 7517 §5) that can be used. Keys of other kinds are left out, as the
    /// specification asks for; so are symmetric ones, which do not belong into a public document.
    ///
    /// - Throws: ``TokenError`` if the text is not a key set, or has no key that can be used.
    package static func set(_ json: [UInt8]) async throws -> [TokenKey] {
        guard json.count <= maximumSetByteCount else {
            throw TokenError(.badKey, "the key set is larger than \(maximumSetByteCount) bytes")
        }
        guard let members = try? JSONDecoder().decode(Members.self, from: Data(json)) else {
            throw TokenError(.badKey, "the text is not a JSON Web Key Set")
        }
        var found: [TokenKey] = []
        for member in members.keys.prefix(maximumKeyCount) {
            guard var key = member.key else { continue }
            let algorithm: TokenAlgorithm
            switch (key.keyType, key.algorithm, key.curve) {
            case (.rsa, nil, _), (.rsa, .rs256, _):
                algorithm = .rs256
                key.algorithm = .rs256
            case (.ecdsa, nil, .ecdsa(.p256)), (.ecdsa, .es256, .ecdsa(.p256)):
                algorithm = .es256
                key.algorithm = .es256
            default: continue
            }
            let id = key.keyIdentifier?.string
            // The collection has this one key, so its name in there means nothing.
            key.keyIdentifier = JWKIdentifier(string: "key")
            let keys = JWTKeyCollection()
            guard (try? await keys.add(jwk: key)) != nil, (try? await keys.getKey(alg: algorithm.rawValue)) != nil
            else { continue }
            found.append(TokenKey(id: id, algorithm: algorithm, keys: keys))
        }
        guard !found.isEmpty else {
            throw TokenError(.badKey, "the key set has no key for RS256 or ES256")
        }
        return found
    }

    /// Limits of a key set. Providers publish two to four keys.
    package static let maximumSetByteCount = 256 * 1_024
    private static let maximumKeyCount = 64

    /// A key set whose members are read one by one, so that one of an unknown kind costs only itself.
    private struct Members: Decodable {
        var keys: [Member]
    }

    private struct Member: Decodable {
        var key: JWK?

        init(from decoder: any Decoder) throws { key = try? JWK(from: decoder) }
    }
}
