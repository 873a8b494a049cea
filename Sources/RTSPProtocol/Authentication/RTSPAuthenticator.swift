package import NIOCore

/// One connection's authentication (RFC 2326 §D.1.5, RFC 7616, RFC 7617, RFC 2069).
///
/// Nonces are of use on their own connection and for a time only, so that what was overheard elsewhere is of none.
/// Asked once a session, at its first request: libstreaming sends the digest of its ANNOUNCE with everything after it.
package struct RTSPAuthenticator: Sendable {
    package enum Outcome: Hashable, Sendable {
        case authenticated(username: String)
        /// No credentials: ask for some. No failure.
        case missing
        /// The right ones for a nonce that has expired, is used up or is not this connection's: ask again. No failure.
        case stale
        /// Wrong, or not to be understood: a failure.
        case rejected
    }

    private struct Nonce {
        let value: String
        let issued: NIODeadline
        /// RFC 7616 §3.4: must grow from request to request.
        var lastCount: UInt32 = 0
    }

    package let policy: RTSPAuthenticationPolicy
    private let makeNonce: @Sendable () -> String
    private var nonce: Nonce?
    /// Stands in for users that do not exist, so that they cost what a wrong password costs.
    private let decoy: RTSPCredential

    /// - Parameter makeNonce: for tests; word characters only.
    package init(
        policy: RTSPAuthenticationPolicy = RTSPAuthenticationPolicy(),
        makeNonce: @escaping @Sendable () -> String = RTSPAuthenticator.randomNonce
    ) {
        self.policy = policy
        self.makeNonce = makeNonce
        decoy = RTSPCredential(
            username: "", realm: policy.realm, md5: Self.randomNonce(), sha256: Self.randomNonce() + Self.randomNonce())
    }

    /// 128 bits of the system's randomness in hexadecimal digits: libstreaming's pattern takes word characters.
    package static let randomNonce: @Sendable () -> String = {
        var generator = SystemRandomNumberGenerator()
        return hexadecimal((0..<16).map { _ in UInt8.random(in: 0...UInt8.max, using: &generator) })
    }

    // MARK: Checking

    /// - Parameter credentials: of all who may do what the request asks for.
    package mutating func authenticate(
        _ authorization: RTSPAuthorization, among credentials: [RTSPCredential], now: NIODeadline
    ) -> Outcome {
        switch authorization.credentials {
        case .missing: .missing
        case .unintelligible: .rejected
        case .basic(let username, let password): checkBasic(username, password, credentials)
        case .digest(let digest): checkDigest(digest, authorization, credentials, now: now)
        }
    }

    private func checkBasic(_ username: String, _ password: String, _ credentials: [RTSPCredential]) -> Outcome {
        guard policy.schemes.contains(.basic) else { return .rejected }
        let stored = find(username, among: credentials)
        let hash = DigestAlgorithm.sha256.digest(username, policy.realm, password)
        let isRight = equalsInConstantTime(hash, (stored ?? decoy).sha256)
        return isRight && stored != nil ? .authenticated(username: username) : .rejected
    }

    private mutating func checkDigest(
        _ digest: DigestCredentials, _ authorization: RTSPAuthorization, _ credentials: [RTSPCredential],
        now: NIODeadline
    ) -> Outcome {
        guard let algorithm = digest.algorithm,
            policy.schemes.contains(algorithm == .md5 ? .digestMD5 : .digestSHA256)
        else { return .rejected }
        let stored = find(digest.username, among: credentials)
        let expected = digest.expectedResponse(
            ha1: (stored ?? decoy).ha1(algorithm), method: authorization.method, algorithm: algorithm)
        let isRight = equalsInConstantTime(expected, digest.response)
        guard isRight, stored != nil, Self.covers(digest.uri, request: authorization.uri) else { return .rejected }
        return useNonce(digest, now: now) ? .authenticated(username: digest.username) : .stale
    }

    /// Looks at all of them, wherever the one may be.
    private func find(_ username: String, among credentials: [RTSPCredential]) -> RTSPCredential? {
        var found: RTSPCredential?
        for credential in credentials where equalsInConstantTime(credential.username, username) { found = credential }
        return found
    }

    /// RFC 7616 §3.4.6 wants the same resource, not the same text. Clients send the request's URL, its path alone, or
    /// the session's URL in a track's request; hosts are spelled in several ways, and queries get lost.
    static func covers(_ uri: String, request: String) -> Bool {
        if uri == request { return true }
        guard let named = RTSPURL(parsing: uri), let requested = RTSPURL(parsing: request) else { return false }
        return named.path == requested.path || !named.path.isEmpty && requested.path.hasPrefix(named.path + "/")
    }

    /// `false` where the nonce is none to rely on. A count that does not grow is a replay, or a client that always
    /// says 00000001: either gets a new nonce.
    private mutating func useNonce(_ digest: DigestCredentials, now: NIODeadline) -> Bool {
        guard let current = nonce, current.value == digest.nonce, now < current.issued + policy.nonceLifetime else {
            return false
        }
        guard let protection = digest.protection else { return true }
        guard protection.nonceCount > current.lastCount else {
            nonce = nil
            return false
        }
        nonce?.lastCount = protection.nonceCount
        return true
    }

    // MARK: Asking

    /// 401 with a challenge for each scheme.
    package mutating func refusal(after outcome: Outcome, now: NIODeadline) -> RTSPRefusal {
        let nonce = currentNonce(now: now)
        var headers = RTSPHeaders()
        for scheme in policy.schemes {
            let challenge = policy.header(scheme, nonce: nonce, isStale: outcome == .stale)
            headers.add(name: "WWW-Authenticate", value: challenge)
        }
        return RTSPRefusal(.unauthorized, headers: headers)
    }

    /// The one that is out already, for as long as enough of its time is left to answer with it.
    private mutating func currentNonce(now: NIODeadline) -> String {
        if let nonce, now < nonce.issued + .nanoseconds(policy.nonceLifetime.nanoseconds / 2) { return nonce.value }
        let value = makeNonce()
        nonce = Nonce(value: value, issued: now)
        return value
    }
}
