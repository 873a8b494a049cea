package import NIOCore

/// One `WWW-Authenticate` header's worth.
package enum RTSPAuthenticationScheme: String, Hashable, Sendable, CaseIterable {
    case basic = "Basic"
    case digestSHA256 = "Digest SHA-256"
    case digestMD5 = "Digest MD5"
}

/// What is asked of clients that have to say who they are.
package struct RTSPAuthenticationPolicy: Hashable, Sendable {
    /// Part of every stored hash: changing it makes all of them useless.
    package let realm: String
    /// In the order of the headers, which no client reads as a preference but several take for one:
    /// - libstreaming keeps the last header of a name and computes RFC 2069's MD5 digest from it;
    /// - ffmpeg, GStreamer and live555 (VLC) take the last Digest, and prefer it to Basic wherever that stands; none of
    ///   them asked for an algorithm when they answer with MD5.
    ///
    /// So Digest with MD5 is last. Clients that take the first header get Basic, which anybody can do. SHA-256 is in
    /// between for those that read all and choose.
    package var schemes: [RTSPAuthenticationScheme]
    /// People type passwords while a nonce waits for them.
    package var nonceLifetime: TimeAmount

    package static let defaultRealm = "Antena"

    package init(
        realm: String = defaultRealm, schemes: [RTSPAuthenticationScheme] = [.basic, .digestSHA256, .digestMD5],
        nonceLifetime: TimeAmount = .minutes(5)
    ) {
        // Quoting is legal, but libstreaming's and live555's patterns do not know it.
        self.realm = String(
            String.UnicodeScalarView(realm.unicodeScalars.filter { $0.value >= 0x20 && $0 != "\"" && $0 != "\\" }))
        self.schemes = schemes
        self.nonceLifetime = nonceLifetime
    }

    /// libstreaming's pattern wants `realm="…"`, comma, white space and `nonce="…"` in this order; live555's wants
    /// `stale` next, without quotes. MD5 goes without `algorithm` and `qop` (RFC 2069), which the oldest clients
    /// stumble over: a nonce is of use on one connection only, so `qop` would protect from nothing more.
    func header(_ scheme: RTSPAuthenticationScheme, nonce: String, isStale: Bool) -> String {
        let digest = "Digest realm=\"\(realm)\", nonce=\"\(nonce)\"" + (isStale ? ", stale=TRUE" : "")
        return switch scheme {
        case .basic: "Basic realm=\"\(realm)\""
        case .digestMD5: digest
        case .digestSHA256: digest + ", algorithm=SHA-256, qop=\"auth\""
        }
    }
}
