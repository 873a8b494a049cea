package import NIOCore

/// Authenticates the requests of one connection (RFC 2326 §D.1.5, RFC 7616, RFC 7617, RFC 2069).
///
/// Nonces are valid on their own connection and for a limited time, so that an intercepted response cannot be used
/// elsewhere. Only the first request of a session is checked: libstreaming repeats the digest of its ANNOUNCE in all
/// later requests.
package struct RTSPAuthenticator: Sendable {
    /// Result of checking a request's credentials.
    package enum Outcome: Hashable, Sendable {
        case authenticated(username: String)
        /// The request has no credentials; the client must be challenged. Not a failure.
        case missing
        /// The credentials are right, but the nonce has expired, is used up or belongs to another connection; the
        /// client must be challenged again. Not a failure.
        case stale
        /// The credentials are wrong or cannot be parsed. This is a failure.
        case rejected
    }

    private struct Nonce {
        let value: String
        let issued: NIODeadline
        /// Nonce count of the last request, which must grow from request to request (RFC 7616 §3.4).
        var lastCount: UInt32 = 0
    }

    package let policy: RTSPAuthenticationPolicy
    private let makeNonce: @Sendable () -> String
    private var nonce: Nonce?
    /// Credential that is checked for unknown users, so that they take as long as a wrong password.
    private let decoy: RTSPCredential

    /// - Parameters:
    ///   - policy: the schemes to offer.
    ///   - makeNonce: a source of nonces for tests, which must consist of word characters.
    package init(
        policy: RTSPAuthenticationPolicy = RTSPAuthenticationPolicy(),
        makeNonce: @escaping @Sendable () -> String = RTSPAuthenticator.randomNonce
    ) {
        self.policy = policy
        self.makeNonce = makeNonce
        decoy = RTSPCredential(
            username: "", realm: policy.realm, md5: Self.randomNonce(), sha256: Self.randomNonce() + Self.randomNonce())
    }

    /// Makes a nonce: 128 bits from the system's random number generator, in hexadecimal because libstreaming's
    /// pattern only accepts word characters.
    package static let randomNonce: @Sendable () -> String = {
        var generator = SystemRandomNumberGenerator()
        return hexadecimal((0..<16).map { _ in UInt8.random(in: 0...UInt8.max, using: &generator) })
    }

    // MARK: Checking

    /// Checks the credentials of a request.
    ///
    /// - Parameters:
    ///   - authorization: the credentials that the client sent.
    ///   - credentials: stored credentials of all users who may perform the request.
    ///   - now: the current time, for the nonce's lifetime.
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

    /// Whether a username and a password are those of a credential, for protocols that show both.
    package static func isKnown(_ username: String, _ password: String, among credentials: [RTSPCredential]) -> Bool {
        let policy = RTSPAuthenticationPolicy(realm: credentials.first?.realm ?? "")
        return RTSPAuthenticator(policy: policy).checkBasic(username, password, credentials)
            == .authenticated(username: username)
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

    /// Finds a user's credential; always compares all of them, so that the duration does not depend on the position.
    private func find(_ username: String, among credentials: [RTSPCredential]) -> RTSPCredential? {
        var found: RTSPCredential?
        for credential in credentials where equalsInConstantTime(credential.username, username) { found = credential }
        return found
    }

    /// Whether the digest's URI denotes the resource of the request, which RFC 7616 §3.4.6 requires instead of equal
    /// text. Clients send the request's URL, only its path, or the session's URL in a request for a track; they spell
    /// hosts differently and omit queries.
    static func covers(_ uri: String, request: String) -> Bool {
        if uri == request { return true }
        guard let named = RTSPURL(parsing: uri), let requested = RTSPURL(parsing: request) else { return false }
        return named.path == requested.path || !named.path.isEmpty && requested.path.hasPrefix(named.path + "/")
    }

    /// Checks and uses a nonce; `false` if it is not valid. A nonce count that does not grow means a replay or a
    /// client that always sends 00000001; in both cases a new nonce is issued.
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

    // MARK: Challenges

    /// A 401 response with a challenge for each scheme.
    package mutating func refusal(after outcome: Outcome, now: NIODeadline) -> RTSPRefusal {
        let nonce = currentNonce(now: now)
        var headers = RTSPHeaders()
        for scheme in policy.schemes {
            let challenge = policy.header(scheme, nonce: nonce, isStale: outcome == .stale)
            headers.add(name: "WWW-Authenticate", value: challenge)
        }
        return RTSPRefusal(.unauthorized, headers: headers)
    }

    /// A 401 response that asks for Basic authentication only.
    package static func basicChallenge(realm: String) -> RTSPRefusal {
        var headers = RTSPHeaders()
        headers.add(name: "WWW-Authenticate", value: "Basic realm=\"\(realm)\"")
        return RTSPRefusal(.unauthorized, headers: headers)
    }

    /// The current nonce if more than half of its lifetime is left, otherwise a new one.
    private mutating func currentNonce(now: NIODeadline) -> String {
        if let nonce, now < nonce.issued + .nanoseconds(policy.nonceLifetime.nanoseconds / 2) { return nonce.value }
        let value = makeNonce()
        nonce = Nonce(value: value, issued: now)
        return value
    }
}
