import NIOCore
import Testing

@testable import RTSPProtocol

struct RTSPAuthenticatorTests {
    static let start = NIODeadline.uptimeNanoseconds(1_000)
    static let uri = "rtsp://h:8554/live/canalA.stream"
    static let nonce = "0123456789abcdef0123456789abcdef"
    static let credentials = [
        RTSPCredential(username: "ana", realm: "Antena", password: "sesame"),
        RTSPCredential(username: "óscar", realm: "Antena", password: "contraseña:1"),
    ]

    static func authenticator(_ schemes: [RTSPAuthenticationScheme]? = nil) -> RTSPAuthenticator {
        var policy = RTSPAuthenticationPolicy()
        if let schemes { policy.schemes = schemes }
        var authenticator = RTSPAuthenticator(policy: policy, makeNonce: { nonce })
        _ = authenticator.refusal(after: .missing, now: start)
        return authenticator
    }

    static func authorization(
        _ header: String?, method: RTSPMethod = .announce, uri: String = uri
    ) -> RTSPAuthorization {
        var headers = RTSPHeaders()
        headers["Authorization"] = header
        return RTSPAuthorization(RTSPRequest(method: method, uri: uri, headers: headers))
    }

    /// A digest as a client computes it.
    static func digest(
        _ algorithm: DigestAlgorithm, username: String = "ana", password: String = "sesame", uri: String = uri,
        nonce: String = nonce, count: String? = nil, extra: String = ""
    ) -> String {
        let ha1 = algorithm.digest(username, "Antena", password)
        let ha2 = algorithm.digest("ANNOUNCE", uri)
        let response =
            count.map { algorithm.digest(ha1, nonce, $0, "c0ffee", "auth", ha2) } ?? algorithm.digest(ha1, nonce, ha2)
        return "Digest username=\"\(username)\",realm=\"Antena\",nonce=\"\(nonce)\",uri=\"\(uri)\","
            + "response=\"\(response)\"" + (count.map { ", qop=auth, nc=\($0), cnonce=\"c0ffee\"" } ?? "") + extra
    }

    // MARK: The RFCs' own examples

    /// RFC 2617 §3.5, RFC 2069 §2.4 (its erratum 749's value) and RFC 7616 §3.9.1.
    static let published: [(realm: String, password: String, header: String)] = [
        (
            "testrealm@host.com", "Circle Of Life",
            """
            Digest username="Mufasa", realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", \
            uri="/dir/index.html", qop=auth, nc=00000001, cnonce="0a4f113b", \
            response="6629fae49393a05397450978507c4ef1", opaque="5ccc069c403ebaf9f0171e9517f40e41"
            """
        ),
        (
            "testrealm@host.com", "CircleOfLife",
            """
            Digest username="Mufasa", realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", \
            uri="/dir/index.html", response="1949323746fe6a43ef61f9606e7febea", \
            opaque="5ccc069c403ebaf9f0171e9517f40e41"
            """
        ),
        (
            "http-auth@example.org", "Circle of Life",
            """
            Digest username="Mufasa", realm="http-auth@example.org", uri="/dir/index.html", algorithm=MD5, \
            nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", nc=00000001, \
            cnonce="f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", qop=auth, \
            response="8ca523f5e9506fed4657c9700eebdbec"
            """
        ),
        (
            "http-auth@example.org", "Circle of Life",
            """
            Digest username="Mufasa", realm="http-auth@example.org", uri="/dir/index.html", algorithm=SHA-256, \
            nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", nc=00000001, \
            cnonce="f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", qop=auth, \
            response="753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"
            """
        ),
    ]

    @Test(arguments: published.indices) func computesWhatTheRFCsCompute(index: Int) throws {
        let (realm, password, header) = Self.published[index]
        guard case .digest(let digest) = AuthorizationCredentials(parsing: header) else {
            Issue.record("not read")
            return
        }
        let algorithm = try #require(digest.algorithm)
        let credential = RTSPCredential(username: "Mufasa", realm: realm, password: password)
        let expected = digest.expectedResponse(
            ha1: credential.ha1(algorithm), method: RTSPMethod("GET"), algorithm: algorithm)
        #expect(expected == digest.response)
    }

    // MARK: Credentials

    static let attempts: [(header: String?, outcome: RTSPAuthenticator.Outcome)] = [
        (nil, .missing), ("", .missing), ("null", .missing),
        // ana:sesame, óscar:contraseña:1, ana:wrong, eva:sesame
        ("Basic YW5hOnNlc2FtZQ==", .authenticated(username: "ana")),
        ("bASIC  YW5hOnNlc2FtZQ", .authenticated(username: "ana")),
        ("Basic w7NzY2FyOmNvbnRyYXNlw7FhOjE=", .authenticated(username: "óscar")),
        ("Basic YW5hOndyb25n", .rejected), ("Basic ZXZhOnNlc2FtZQ==", .rejected),
        ("Basic", .rejected), ("Basic ====", .rejected), ("Basic YW5h", .rejected), ("Basic YW5h?", .rejected),
        (digest(.md5), .authenticated(username: "ana")), (digest(.sha256), .authenticated(username: "ana")),
        (digest(.md5, count: "00000001"), .authenticated(username: "ana")),
        (digest(.sha256, count: "0000000a"), .authenticated(username: "ana")),
        // The client names the algorithm of the challenge, but uses its own.
        (digest(.md5, extra: ",algorithm=SHA-256"), .authenticated(username: "ana")),
        (digest(.md5, username: "óscar", password: "contraseña:1"), .authenticated(username: "óscar")),
        (digest(.md5, password: "Sesame"), .rejected), (digest(.md5, username: "eva"), .rejected),
        (digest(.md5, username: "", password: ""), .rejected),
        (digest(.md5, extra: ",algorithm=MD5-sess"), .rejected), (digest(.md5, extra: ",qop=auth-int"), .rejected),
        (digest(.md5, extra: ",qop=auth"), .rejected), (digest(.md5, count: "1000000000"), .rejected),
        (digest(.md5, count: "-1"), .rejected), (digest(.md5, count: "xyz"), .rejected),
        // RFC 7616 §3.4.6: the digest is for another resource.
        (digest(.md5, uri: "rtsp://h:8554/live/canalB.stream"), .rejected), (digest(.md5, uri: "*"), .rejected),
        (digest(.md5, uri: "rtsp://h:8554/live/canalA"), .rejected), (digest(.md5, uri: "rtsp://h:8554"), .rejected),
        (digest(.md5, uri: "/live/canalA.stream"), .authenticated(username: "ana")),
        (digest(.md5, uri: "rtsp://localhost/live/canalA.stream/"), .authenticated(username: "ana")),
        (digest(.md5, uri: uri + "?preset=high"), .authenticated(username: "ana")),
        // The digest was made for the nonce of another connection.
        (digest(.md5, nonce: "ffffffffffffffffffffffffffffffff"), .stale),
        (digest(.md5, password: "wrong", nonce: "ffffffffffffffffffffffffffffffff"), .rejected),
        ("Digest", .rejected), ("Digest username", .rejected), ("Digest =,=,\"", .rejected),
        ("Digest username=\"ana\", nonce=\"x\", uri=\"/\", response=\"\"", .rejected),
        ("Digest username=\"ana\\", .rejected), ("Bearer abc", .rejected), ("\u{0}\u{FFFD}", .rejected),
        ("Digest " + String(repeating: "a=b,", count: 1_000), .rejected),
    ]

    @Test(arguments: attempts.indices) func decidesWhoGetsIn(index: Int) {
        let (header, outcome) = Self.attempts[index]
        var authenticator = Self.authenticator()
        let authorization = Self.authorization(header)
        #expect(authorization.isPresent == (outcome != .missing))
        #expect(authenticator.authenticate(authorization, among: Self.credentials, now: Self.start) == outcome)
        #expect(
            authenticator.authenticate(authorization, among: [], now: Self.start) != .authenticated(username: "ana"))
    }

    @Test func theDigestOfATracksRequestMayNameTheSession() {
        var authenticator = Self.authenticator()
        let header = Self.digest(.md5)
        let authorization = Self.authorization(header, uri: Self.uri + "/trackID=1")
        #expect(
            authenticator.authenticate(authorization, among: Self.credentials, now: Self.start)
                == .authenticated(username: "ana"))
    }

    @Test func theMethodIsPartOfTheDigest() {
        var authenticator = Self.authenticator()
        let authorization = Self.authorization(Self.digest(.md5), method: .describe)
        #expect(authenticator.authenticate(authorization, among: Self.credentials, now: Self.start) == .rejected)
    }

    @Test func onlyWhatWasOfferedIsTaken() {
        for (scheme, header) in [
            (RTSPAuthenticationScheme.basic, "Basic YW5hOnNlc2FtZQ=="), (.digestMD5, Self.digest(.md5)),
            (.digestSHA256, Self.digest(.sha256)),
        ] {
            for offered in RTSPAuthenticationScheme.allCases {
                var authenticator = Self.authenticator([offered])
                let outcome = authenticator.authenticate(
                    Self.authorization(header), among: Self.credentials, now: Self.start)
                #expect(outcome == (offered == scheme ? .authenticated(username: "ana") : .rejected))
            }
        }
    }

    // MARK: Nonces

    @Test func aNonceCountIsOfUseOnce() {
        var authenticator = Self.authenticator()
        func attempt(_ count: String) -> RTSPAuthenticator.Outcome {
            authenticator.authenticate(
                Self.authorization(Self.digest(.md5, count: count)), among: Self.credentials, now: Self.start)
        }
        #expect(attempt("00000001") == .authenticated(username: "ana"))
        #expect(attempt("00000003") == .authenticated(username: "ana"))
        #expect(attempt("00000003") == .stale)
        // The nonce has been used.
        #expect(attempt("00000004") == .stale)
    }

    @Test func aNonceEndsWithItsLifetime() {
        var authenticator = Self.authenticator()
        let authorization = Self.authorization(Self.digest(.md5))
        let credentials = Self.credentials
        let lifetime = authenticator.policy.nonceLifetime
        #expect(
            authenticator.authenticate(authorization, among: credentials, now: Self.start + lifetime - .seconds(1))
                == .authenticated(username: "ana"))
        #expect(authenticator.authenticate(authorization, among: credentials, now: Self.start + lifetime) == .stale)
        #expect(
            authenticator.refusal(after: .stale, now: Self.start + lifetime).headers.values(of: "WWW-Authenticate")
                .filter { $0.contains("stale=TRUE") }.count == 2)
    }

    @Test func noncesAreWordCharactersAndDiffer() {
        let nonces = (0..<100).map { _ in RTSPAuthenticator.randomNonce() }
        #expect(Set(nonces).count == 100)
        #expect(nonces.allSatisfy { $0.count == 32 && $0.allSatisfy(\.isHexDigit) })
    }

    @Test func connectionsDoNotShareNonces() {
        var first = RTSPAuthenticator()
        var second = RTSPAuthenticator()
        _ = second.refusal(after: .missing, now: Self.start)
        let challenge = first.refusal(after: .missing, now: Self.start).headers.values(of: "WWW-Authenticate").last
        let nonce = AuthenticationParameters(parsing: challenge ?? "")["nonce"] ?? ""
        let authorization = Self.authorization(Self.digest(.md5, nonce: nonce))
        #expect(
            first.authenticate(authorization, among: Self.credentials, now: Self.start)
                == .authenticated(username: "ana"))
        #expect(second.authenticate(authorization, among: Self.credentials, now: Self.start) == .stale)
    }

    // MARK: Challenges

    @Test func challengesAreInAnOrderThatEveryClientFindsOneIn() {
        var authenticator = Self.authenticator()
        let refusal = authenticator.refusal(after: .missing, now: Self.start)
        #expect(refusal.status == .unauthorized)
        let expected = [
            "Basic realm=\"Antena\"",
            "Digest realm=\"Antena\", nonce=\"\(Self.nonce)\", algorithm=SHA-256, qop=\"auth\"",
            "Digest realm=\"Antena\", nonce=\"\(Self.nonce)\"",
        ]
        #expect(refusal.headers.values(of: "www-authenticate") == expected)
    }

    @Test func aRealmCannotBreakOutOfItsQuotes() {
        let policy = RTSPAuthenticationPolicy(realm: "a\"b\\c\r\nX: y")
        #expect(policy.header(.basic, nonce: "", isStale: false) == "Basic realm=\"abcX: y\"")
    }

    @Test func secretsStayOutOfDescriptions() {
        let authorization = Self.authorization("Basic YW5hOnNlc2FtZQ==")
        #expect("\(authorization)" == "ANNOUNCE \(Self.uri) by ana")
        #expect("\(Self.credentials[0])" == "ana@Antena")
    }

    @Test(arguments: [
        ("", []), ("TQ==", [0x4D]), ("TWE=", [0x4D, 0x61]), ("TWFu", [0x4D, 0x61, 0x6E]), ("TWE", [0x4D, 0x61]),
        ("+/+/", [0xFB, 0xFF, 0xBF]), ("T", nil as [UInt8]?), ("TW=u", nil), ("T W", nil), ("TWF-", nil),
    ])
    func readsBase64(text: String, bytes: [UInt8]?) { #expect(base64Decoded(text) == bytes) }

    @Test(arguments: [("", "", true), ("a", "", false), ("abc", "abc", true), ("abc", "abd", false), ("b", "a", false)])
    func comparesInConstantTime(first: String, second: String, isSame: Bool) {
        #expect(equalsInConstantTime(first, second) == isSame)
    }

    @Test func tellsWhenToTryAgain() {
        let refusal = RTSPRefusal.tooManyAttempts(retryAfter: .milliseconds(8_001))
        #expect(refusal.status.code == 503 && refusal.headers["Retry-After"] == "9")
    }
}
