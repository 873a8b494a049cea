import Foundation
package import JSONDocument
import JWTKit
package import MediaCore

/// Checks JSON Web Tokens (RFC 7519) as RFC 8725 asks for.
package struct TokenVerifier: Sendable {
    /// The issuer that tokens must name; `nil` accepts any.
    package var issuer: String?
    /// The audience that tokens must name; `nil` accepts any.
    package var audience: String?

    /// Limit of the text of a token.
    package static let maximumByteCount = 8 * 1_024
    /// How far the clocks of who makes and who checks tokens may differ.
    package static let leeway = Duration.seconds(60)
    /// Keys that are tried for one token.
    private static let maximumTrialCount = 8

    package init(issuer: String? = nil, audience: String? = nil) {
        (self.issuer, self.audience) = (issuer, audience)
    }

    /// A token's description of the key that it was signed with.
    package struct Header: Sendable, Hashable {
        package var algorithm: TokenAlgorithm
        package var keyID: String?
    }

    /// Reads the header, which nobody has checked, to find the key.
    ///
    /// - Throws: ``TokenError``
    package static func header(of token: String) throws(TokenError) -> Header {
        guard token.utf8.count <= maximumByteCount else {
            throw TokenError(.malformed, "a token is limited to \(maximumByteCount) bytes")
        }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let node = json(parts[0]), let name = node["alg"]?.string else {
            throw TokenError(.malformed, "the text is not a signed JSON Web Token")
        }
        // RFC 7515 §4.1.11: a program that does not know an extension that is critical refuses the token.
        guard node["crit"] == nil else { throw TokenError(.malformed, "the token requires an unsupported extension") }
        guard let algorithm = TokenAlgorithm(rawValue: name) else {
            throw TokenError(
                .unknownKey,
                "tokens are accepted with \(TokenAlgorithm.allCases.map(\.rawValue).joined(separator: ", ")) only")
        }
        return Header(algorithm: algorithm, keyID: node["kid"]?.string)
    }

    /// Checks the signature, the times, the issuer and the audience.
    ///
    /// - Parameters:
    ///   - token: the text.
    ///   - keys: all keys of those who may make tokens.
    ///   - now: the time.
    /// - Returns: the claims.
    /// - Throws: ``TokenError``
    package func verify(_ token: String, with keys: [TokenKey], at now: WallClockTime) async throws -> JSONNode {
        let header = try Self.header(of: token)
        let fitting = keys.filter { key in
            key.algorithm == header.algorithm && (key.id == nil || header.keyID == nil || key.id == header.keyID)
        }
        guard !fitting.isEmpty else { throw TokenError(.unknownKey, "no key of this server matches the token") }
        var isSigned = false
        for key in fitting.prefix(Self.maximumTrialCount) where !isSigned {
            isSigned = (try? await key.keys.verify(token, as: AnyClaims.self)) != nil
        }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard isSigned, let claims = Self.json(parts[1]), claims.members != nil else {
            throw TokenError(.wrongSignature, "the token's signature is wrong")
        }
        try check(claims, at: now)
        return claims
    }

    private func check(_ claims: JSONNode, at now: WallClockTime) throws(TokenError) {
        let (seconds, leeway) = (Double(now.secondsSince1970), Self.leeway.seconds)
        guard let end = claims["exp"]?.number, end.isFinite else {
            throw TokenError(.expired, "the token does not say when it expires")
        }
        guard end + leeway > seconds else { throw TokenError(.expired, "the token has expired") }
        if let begin = claims["nbf"], begin.number.map({ $0 - leeway > seconds }) ?? true {
            throw TokenError(.notYetValid, "the token is not valid yet")
        }
        if let issuer, claims["iss"]?.string != issuer {
            throw TokenError(.notForThisServer, "the token comes from another issuer")
        }
        if let audience {
            let named = claims["aud"].map { $0.string.map { [$0] } ?? ($0.elements ?? []).compactMap(\.string) } ?? []
            guard named.contains(audience) else {
                throw TokenError(.notForThisServer, "the token is for another audience")
            }
        }
    }

    /// The JSON in a part of a token.
    private static func json(_ part: Substring) -> JSONNode? {
        guard !part.contains("="), let bytes = Base64URL.bytes(part) else { return nil }
        return try? JSONParser.parse(bytes)
    }

    /// The library checks the signature; the claims are read by this target.
    private struct AnyClaims: JWTPayload {
        init(from decoder: any Decoder) throws {}
        func encode(to encoder: any Encoder) throws {}
        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }
}
