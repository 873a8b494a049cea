import NIOCore
import Testing

@testable import RTSPProtocol

/// The client's side of authentication, tested against the server's.
struct RTSPClientAuthenticatorTests {
    private static let now = NIODeadline.uptimeNanoseconds(1_000)
    private static let uri = "rtsp://h:8554/live/canalA.stream"
    private static let users = [
        ("ana", "sesame"), ("óscar", "contraseña:1"), ("quo\"ted", "back\\slash"), ("a", ""),
    ]

    /// The response of a server with these schemes to a client with these credentials.
    private func outcome(
        _ schemes: [RTSPAuthenticationScheme], username: String, password: String, sent: String? = nil
    ) -> RTSPAuthenticator.Outcome? {
        var policy = RTSPAuthenticationPolicy()
        policy.schemes = schemes
        var server = RTSPAuthenticator(policy: policy)
        var client = RTSPClientAuthenticator(username: username, password: sent ?? password)
        let unasked = client.authorization(method: .announce, uri: Self.uri)
        #expect(unasked == nil, "nothing was asked for")
        let refusal = server.refusal(after: .missing, now: Self.now)
        let response = RTSPResponse(status: refusal.status, headers: refusal.headers)
        guard client.accept(response) else { return nil }
        let request = RTSPRequest(
            method: .announce, uri: Self.uri,
            headers: ["Authorization": client.authorization(method: .announce, uri: Self.uri) ?? ""])
        let credential = RTSPCredential(username: username, realm: policy.realm, password: password)
        return server.authenticate(RTSPAuthorization(request), among: [credential], now: Self.now)
    }

    @Test(arguments: [
        [RTSPAuthenticationScheme.digestSHA256], [.digestMD5], [.basic], [.basic, .digestMD5, .digestSHA256],
    ])
    func aServerTakesWhatItAskedFor(_ schemes: [RTSPAuthenticationScheme]) {
        for (username, password) in Self.users {
            #expect(outcome(schemes, username: username, password: password) == .authenticated(username: username))
            #expect(outcome(schemes, username: username, password: password, sent: "wrong") == .rejected)
        }
    }

    @Test func theStrongestSchemeIsTaken() {
        var client = RTSPClientAuthenticator(username: "ana", password: "sesame")
        var response = RTSPResponse(status: .unauthorized)
        response.headers.add(name: "WWW-Authenticate", value: "Basic realm=\"x\"")
        response.headers.add(name: "WWW-Authenticate", value: "Digest realm=\"x\", nonce=\"n\"")
        response.headers.add(name: "WWW-Authenticate", value: "Digest realm=\"x\", nonce=\"n\", algorithm=SHA-256")
        let isAccepted = client.accept(response)
        #expect(isAccepted)
        let header = client.authorization(method: .announce, uri: Self.uri) ?? ""
        #expect(header.hasPrefix("Digest ") && header.contains("algorithm=SHA-256"))
    }

    /// RFC 7616 §3.9.1.
    @Test func theRFCsOwnExampleComesOut() {
        var client = RTSPClientAuthenticator(
            username: "Mufasa", password: "Circle of Life",
            makeClientNonce: { "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ" })
        var response = RTSPResponse(status: .unauthorized)
        response.headers["WWW-Authenticate"] =
            "Digest realm=\"http-auth@example.org\", qop=\"auth, auth-int\", algorithm=SHA-256, "
            + "nonce=\"7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v\", opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\""
        let isAccepted = client.accept(response)
        #expect(isAccepted)
        let header = client.authorization(method: RTSPMethod("GET"), uri: "/dir/index.html") ?? ""
        #expect(header.contains("response=\"753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1\""))
        #expect(header.contains("nc=00000001") && header.contains("opaque=\"FQhe/"))
        let second = client.authorization(method: RTSPMethod("GET"), uri: "/")
        #expect(second?.contains("nc=00000002") == true)
    }

    @Test func theSameQuestionOnceMoreIsANo() {
        var client = RTSPClientAuthenticator(username: "ana", password: "sesame")
        var response = RTSPResponse(
            status: .unauthorized, headers: ["WWW-Authenticate": "Digest realm=\"x\", nonce=\"1\""])
        let first = client.accept(response)
        response.headers["WWW-Authenticate"] = "Digest realm=\"x\", nonce=\"2\""
        let second = client.accept(response)
        response.headers["WWW-Authenticate"] = "Digest realm=\"x\", nonce=\"2\", stale=true"
        let third = client.accept(response)
        #expect(first && !second && third)
    }

    @Test(arguments: ["", "Negotiate abc", "Digest realm=\"x\"", "Digest realm=\"x\", nonce=\"n\", algorithm=SHA-512"])
    func whatCannotBeAnsweredIsNot(_ challenge: String) {
        var client = RTSPClientAuthenticator(username: "ana", password: "sesame")
        let isAccepted = client.accept(RTSPResponse(status: .unauthorized, headers: ["WWW-Authenticate": challenge]))
        let answer = client.authorization(method: .announce, uri: Self.uri)
        #expect(!isAccepted && answer == nil)
    }

    @Test func base64IsWhatTheDecoderReads() {
        for count in 0..<10 {
            let bytes = (0..<count).map { UInt8($0 * 29 % 256) }
            #expect(base64Decoded(base64Encoded(bytes)) == bytes)
        }
    }
}
