package import NIOCore

/// The authentication schemes that are offered to clients, and their parameters.
package struct RTSPAuthenticationPolicy: Hashable, Sendable {
    /// The realm. It is part of every stored hash, so changing it invalidates all of them.
    package let realm: String
    /// Schemes in the order of the headers. No client treats the order as a preference, but several depend on it:
    /// - libstreaming keeps the last header of a name and computes RFC 2069's MD5 digest from it;
    /// - ffmpeg, GStreamer and live555 (VLC) use the last Digest challenge, and prefer it to Basic in any order; they
    ///   answer with MD5 even if another algorithm is requested.
    ///
    /// Digest with MD5 is therefore last. Clients that use the first header get Basic, which all of them support.
    /// SHA-256 is between them for clients that read all headers and choose.
    package var schemes: [RTSPAuthenticationScheme]
    /// Lifetime of a nonce; long enough to type a password.
    package var nonceLifetime: TimeAmount

    package static let defaultRealm = "Antena"

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - realm: The realm in challenges; control characters, quotation marks and backslashes are removed.
    ///   - schemes: The schemes to offer, in the order of the challenges.
    ///   - nonceLifetime: The time after which a client has to use a new nonce.
    package init(
        realm: String = defaultRealm, schemes: [RTSPAuthenticationScheme] = [.basic, .digestSHA256, .digestMD5],
        nonceLifetime: TimeAmount = .minutes(5)
    ) {
        // Removes characters that need quoting. Quoting is legal, but the patterns of libstreaming and live555 do not
        // support it.
        self.realm = String(
            String.UnicodeScalarView(realm.unicodeScalars.filter { $0.value >= 0x20 && $0 != "\"" && $0 != "\\" }))
        self.schemes = schemes
        self.nonceLifetime = nonceLifetime
    }

    /// The header that offers a scheme.
    ///
    /// libstreaming's pattern expects `realm="…"`, a comma, white space and `nonce="…"` in this order; live555's
    /// expects `stale` next, without quotes. MD5 is offered without `algorithm` and `qop` (RFC 2069), which confuse
    /// the oldest clients. A nonce is valid on one connection only, so `qop` would not add protection.
    func header(_ scheme: RTSPAuthenticationScheme, nonce: String, isStale: Bool) -> String {
        let digest = "Digest realm=\"\(realm)\", nonce=\"\(nonce)\"" + (isStale ? ", stale=TRUE" : "")
        return switch scheme {
        case .basic: "Basic realm=\"\(realm)\""
        case .digestMD5: digest
        case .digestSHA256: digest + ", algorithm=SHA-256, qop=\"auth\""
        }
    }
}
