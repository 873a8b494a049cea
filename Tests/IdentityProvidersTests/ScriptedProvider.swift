import Crypto
import Foundation
import IdentityProviders
import MediaCore
import Synchronization
import TestSupport

/// A provider that answers as the test wants, and signs its tokens with the system's cryptography.
final class ScriptedProvider: ProviderTransport {
    static let issuer = "https://id.example.org"
    static let clientID = "antena"

    struct State {
        var requests: [ProviderRequest] = []
        /// Claims of the identity token, beside those that every token has; `nil` removes one.
        var claims: [String: String?] = [:]
        /// Fields of the discovery document, in place of the usual ones.
        var discovery: [String: String] = [:]
        var userInfo = "{}"
        var tokenAnswer: String?
        var tokenStatus = 200
        var isAway = false
        var signsWithSecret = false
    }

    let state = Mutex(State())
    private let key = P256.Signing.PrivateKey()
    let clock = TestClock()

    struct Away: Error {}

    static func text(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    func client(_ change: (inout IdentityProvider) -> Void = { _ in }) -> ProviderClient {
        var provider = IdentityProvider(
            id: "school", name: "School", kind: .openID(issuer: Self.issuer), clientID: Self.clientID,
            secret: ClientSecret("s3cret&"))
        change(&provider)
        return ProviderClient(
            provider, transport: self, wallClock: clock.wallClock, uptime: { [clock] in clock.elapsed })
    }

    func send(_ request: ProviderRequest) async throws -> ProviderResponse {
        let state = state.withLock { state in
            state.requests.append(request)
            return state
        }
        guard !state.isAway else { throw Away() }
        let answer: (Int, String) =
            switch request.url {
            case "\(Self.issuer)/.well-known/openid-configuration": (200, discovery(state))
            case "\(Self.issuer)/keys": (200, keySet)
            case "\(Self.issuer)/token", "\(Self.issuer)/oauth/token":
                (state.tokenStatus, state.tokenAnswer ?? tokenAnswer(state, request))
            case "\(Self.issuer)/me": (200, state.userInfo)
            default: (404, "")
            }
        return ProviderResponse(status: answer.0, body: Array(answer.1.utf8))
    }

    private func discovery(_ state: State) -> String {
        var fields = [
            "issuer": "\"\(Self.issuer)\"", "authorization_endpoint": "\"\(Self.issuer)/authorize?x=1\"",
            "token_endpoint": "\"\(Self.issuer)/token\"", "jwks_uri": "\"\(Self.issuer)/keys\"",
            "userinfo_endpoint": "\"\(Self.issuer)/me\"",
        ]
        fields.merge(state.discovery) { $1 }
        return "{" + fields.map { "\"\($0)\": \($1)" }.joined(separator: ", ") + "}"
    }

    private var keySet: String {
        let point = key.publicKey.rawRepresentation
        return """
            {"keys": [{"kty": "EC", "kid": "e", "crv": "P-256", "alg": "ES256", "x": "\(Self.text(point.prefix(32)))",
              "y": "\(Self.text(point.suffix(32)))"}]}
            """
    }

    private func tokenAnswer(_ state: State, _ request: ProviderRequest) -> String {
        let now = clock.wallClock.now().secondsSince1970
        var claims: [String: String?] = [
            "iss": "\"\(Self.issuer)\"", "aud": "\"\(Self.clientID)\"", "sub": "\"42\"", "exp": "\(now + 300)",
            "iat": "\(now)",
        ]
        claims.merge(state.claims) { $1 }
        let body =
            "{" + claims.compactMap { name, value in value.map { "\"\(name)\": \($0)" } }.joined(separator: ", ") + "}"
        let header = state.signsWithSecret ? #"{"alg": "HS256"}"# : #"{"alg": "ES256", "kid": "e"}"#
        let signed = "\(Self.text(header.utf8)).\(Self.text(body.utf8))"
        let signature: [UInt8] =
            state.signsWithSecret
            ? Array(HMAC<SHA256>.authenticationCode(for: Data(signed.utf8), using: .init(data: Data("s3cret&".utf8))))
            : (try? Array(key.signature(for: Data(signed.utf8)).rawRepresentation)) ?? []
        return #"{"access_token": "access", "token_type": "Bearer", "id_token": "\#(signed).\#(Self.text(signature))"}"#
    }
}
