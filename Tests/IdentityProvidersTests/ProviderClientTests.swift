import Crypto
import Foundation
import IdentityProviders
import MediaCore
import Synchronization
import TestSupport
import Testing

struct ProviderClientTests {
    private let provider = ScriptedProvider()
    private static let redirectURI = "https://tv.example.org/cuenta/proveedor/school"

    private func attempt(_ purpose: LogInAttempt.Purpose = .logIn) -> LogInAttempt {
        LogInAttempt(provider: "school", purpose: purpose, at: provider.clock.wallClock.now())
    }

    /// Lets the provider sign the nonce of an attempt, and follows its answer.
    private func identity(
        _ client: ProviderClient? = nil, issuer: String? = nil, claims: [String: String?] = [:]
    ) async throws -> ProviderIdentity {
        let attempt = attempt()
        provider.state.withLock { state in
            state.claims = ["nonce": "\"\(attempt.nonce)\""]
            state.claims.merge(claims) { $1 }
        }
        return try await (client ?? provider.client()).identity(
            code: "c0de", issuer: issuer, of: attempt, redirectURI: Self.redirectURI)
    }

    private func code(
        issuer: String? = nil, claims: [String: String?] = [:], client: ProviderClient? = nil
    ) async -> ProviderError.Code? {
        do {
            _ = try await identity(client, issuer: issuer, claims: claims)
            return nil
        } catch {
            return (error as? ProviderError)?.code
        }
    }

    @Test func theBrowserIsSentWithStateNonceAndTheHashOfTheVerifier() async throws {
        let attempt = attempt()
        let address = try await provider.client().authorizationURL(for: attempt, redirectURI: Self.redirectURI)
        #expect(address.hasPrefix("https://id.example.org/authorize?x=1&response_type=code&client_id=antena&"))
        let components = try #require(URLComponents(string: address))
        func value(_ name: String) -> String? { components.queryItems?.first { $0.name == name }?.value }
        #expect(value("state") == attempt.state && value("nonce") == attempt.nonce)
        #expect(value("redirect_uri") == Self.redirectURI && value("scope") == "openid profile email")
        #expect(value("code_challenge_method") == "S256" && !address.contains(attempt.verifier))
        let hash = SHA256.hash(data: Data(attempt.verifier.utf8))
        #expect(value("code_challenge") == ScriptedProvider.text(hash))
        #expect(attempt.verifier.utf8.count == 43 && Set([attempt.state, attempt.nonce, attempt.verifier]).count == 3)
    }

    @Test func aCodeBecomesAnIdentity() async throws {
        provider.state.withLock {
            $0.userInfo =
                #"{"sub": "42", "preferred_username": "ana.g", "email": "ana@example.org", "email_verified": true}"#
        }
        let identity = try await identity(claims: ["name": "\"Ana G.\""])
        #expect(identity.provider == "school" && identity.subject == "42" && identity.name == "Ana G.")
        #expect(identity.username == "ana.g" && identity.email == "ana@example.org" && identity.isEmailVerified)
        #expect(identity.roles == nil)
        let exchange = try #require(provider.state.withLock { $0.requests.first { $0.url.hasSuffix("/token") } })
        let form = try #require(exchange.form)
        #expect(form.contains("grant_type=authorization_code&code=c0de&redirect_uri=https%3A%2F%2Ftv.example.org%2F"))
        #expect(form.contains("&code_verifier=") && !form.contains("s3cret"))
        // RFC 6749 §2.3.1
        #expect(exchange.authorization == "Basic " + Data("antena:s3cret%26".utf8).base64EncodedString())
    }

    /// Seen with glewlwyd 2.7, which does not decode the header as RFC 6749 §2.3.1 asks for.
    @Test func aSecretThatWouldBeEncodedGoesIntoTheFormIfItMay() async throws {
        for (methods, isInForm) in [
            (#"["client_secret_basic", "client_secret_post"]"#, true), (#"["client_secret_post"]"#, true),
            (#"["client_secret_basic"]"#, false), ("[]", false),
        ] {
            let provider = ScriptedProvider()
            provider.state.withLock { $0.discovery = ["token_endpoint_auth_methods_supported": methods] }
            let attempt = LogInAttempt(provider: "school", purpose: .logIn, at: provider.clock.wallClock.now())
            provider.state.withLock { $0.claims = ["nonce": "\"\(attempt.nonce)\""] }
            _ = try await provider.client().identity(
                code: "c", issuer: nil, of: attempt, redirectURI: Self.redirectURI)
            let request = try #require(provider.state.withLock { $0.requests.first { $0.url.hasSuffix("/token") } })
            #expect(request.form?.contains("client_secret=s3cret%26") == isInForm)
            #expect((request.authorization == nil) == isInForm)
        }
    }

    /// An address in the token and "checked" in the user info would be two halves of different truths.
    @Test func whetherAnAddressWasCheckedComesFromTheSamePlace() async throws {
        provider.state.withLock { $0.userInfo = #"{"sub": "42", "email": "ana@example.org", "email_verified": true}"# }
        let identity = try await identity(claims: ["email": "\"eva@example.org\""])
        #expect(identity.email == "eva@example.org" && !identity.isEmailVerified)
    }

    @Test func thePictureIsAnAddressOfTheWeb() async throws {
        provider.state.withLock { $0.userInfo = #"{"sub": "42", "picture": "https://id.example.org/ana.png"}"# }
        #expect(try await identity().picture == "https://id.example.org/ana.png")
        let own = try await identity(claims: ["picture": "\"https://id.example.org/42.png\""])
        #expect(own.picture == "https://id.example.org/42.png")
        for address in ["file:///etc/passwd", "javascript:x", "https://" + String(repeating: "a", count: 3_000)] {
            let other = try await identity(claims: ["picture": "\"\(address)\""])
            #expect(other.picture == "https://id.example.org/ana.png")
        }
    }

    @Test func userInfoOfSomebodyElseIsLeftOut() async throws {
        provider.state.withLock { $0.userInfo = #"{"sub": "43", "preferred_username": "eva"}"# }
        #expect(try await identity().username == nil)
    }

    @Test(
        arguments: [
            ["nonce": "\"another\""], ["nonce": nil], ["aud": "\"another\""], ["aud": nil], ["iss": "\"https://evil\""],
            ["azp": "\"another\""], ["aud": "[\"antena\", \"another\"]"], ["exp": "1"], ["exp": nil], ["iat": "1"],
            ["iat": "99999999999"], ["iat": nil], ["sub": nil], ["sub": "\"\""],
            ["sub": "\"\(String(repeating: "x", count: 256))\""], ["at_hash": "\"AAAA\""], ["nbf": "99999999999"],
        ] as [[String: String?]])
    func otherTokensAreRefused(_ claims: [String: String?]) async {
        #expect(await code(claims: claims) == .notValid)
    }

    @Test func severalAudiencesNeedThePartyAndHashesMustFit() async throws {
        let hash = ScriptedProvider.text(SHA256.hash(data: Data("access".utf8)).prefix(16))
        let claims = ["aud": "[\"other\", \"antena\"]", "azp": "\"antena\"", "at_hash": "\"\(hash)\""]
        #expect(await code(claims: claims) == nil)
    }

    /// Everybody who knows the client's secret could make such tokens, and a public key could be taken for one.
    @Test func aTokenSignedWithTheSecretIsRefused() async {
        provider.state.withLock { $0.signsWithSecret = true }
        #expect(await code() == .notValid)
    }

    /// RFC 9207: the answer of one provider is not taken to another.
    @Test func anAnswerOfAnotherIssuerIsRefusedBeforeItsCodeIsSent() async {
        #expect(await code(issuer: "https://evil.example.org") == .notValid)
        #expect(await code(issuer: ScriptedProvider.issuer) == nil)
        let strict = ScriptedProvider()
        strict.state.withLock { $0.discovery = ["authorization_response_iss_parameter_supported": "true"] }
        let client = strict.client()
        await #expect(throws: ProviderError.self) {
            try await client.identity(code: "c", issuer: nil, of: attempt(), redirectURI: Self.redirectURI)
        }
        #expect(strict.state.withLock { !$0.requests.contains { $0.url.hasSuffix("/token") } })
    }

    @Test(
        arguments: [
            ["issuer": "\"https://evil.example.org\""], ["token_endpoint": "\"http://id.example.org/token\""],
            ["jwks_uri": "\"file:///etc/passwd\""], ["authorization_endpoint": "\"javascript:alert(1)\""],
            ["token_endpoint": "17"], ["userinfo_endpoint": "\"https://a:b@id.example.org/\""],
        ])
    func otherDiscoveryDocumentsAreRefused(_ fields: [String: String]) async {
        provider.state.withLock { $0.discovery = fields }
        #expect(await code() == .notAvailable)
    }

    @Test func aProviderThatIsAwayIsAskedAgainAfterAPause() async throws {
        let client = provider.client()
        provider.state.withLock { $0.isAway = true }
        for _ in 0..<3 { #expect(await code(client: client) == .notAvailable) }
        #expect(provider.state.withLock { $0.requests.count } == 1)
        provider.state.withLock { $0.isAway = false }
        provider.clock.advance(by: .seconds(6))
        #expect(await code(client: client) == nil)
        // What was discovered holds while the provider is away again.
        provider.state.withLock { $0.isAway = true }
        provider.clock.advance(by: .seconds(4_000))
        _ = try await client.authorizationURL(for: attempt(), redirectURI: Self.redirectURI)
    }

    @Test(arguments: [400, 500])
    func aRefusedCodeShowsNoSecret(_ status: Int) async {
        provider.state.withLock { ($0.tokenStatus, $0.tokenAnswer) = (status, #"{"error": "invalid_grant"}"#) }
        do {
            _ = try await identity()
            Issue.record("the code was accepted")
        } catch {
            let text = "\(error)"
            #expect(text.contains("invalid_grant") && !text.contains("c0de") && !text.contains("s3cret"))
        }
    }

    @Test func rolesComeFromAClaim() async throws {
        let client = provider.client {
            $0.roles = RoleMapping(
                claim: "realm_access.roles", roles: ["crew": "broadcaster", "boss": "administrator"])
        }
        let roles = try await identity(client, claims: ["realm_access": #"{"roles": ["crew", "other", "boss"]}"#]).roles
        #expect(roles == ["broadcaster", "administrator"])
        #expect(try await identity(client).roles == [])
    }

    @Test func aProviderWithoutIdentityTokensDescribesItsUsers() async throws {
        var fields = OAuthFields()
        fields.subject = "data.id"
        let oauth = OAuthEndpoints(
            authorization: "\(ScriptedProvider.issuer)/oauth/authorize",
            token: "\(ScriptedProvider.issuer)/oauth/token",
            userInfo: "\(ScriptedProvider.issuer)/me", fields: fields)
        let client = provider.client {
            $0 = IdentityProvider(
                id: "forge", name: "Forge", kind: .oauth(oauth), clientID: "antena", secret: ClientSecret("s"))
        }
        provider.state.withLock {
            $0.tokenAnswer = #"{"access_token": "access"}"#
            $0.userInfo = #"{"data": {"id": 17}, "login": "ana", "email": "ana@example.org", "email_verified": true}"#
        }
        let address = try await client.authorizationURL(for: attempt(), redirectURI: Self.redirectURI)
        #expect(address.hasPrefix("\(ScriptedProvider.issuer)/oauth/authorize?response_type=code"))
        let identity = try await client.identity(
            code: "c", issuer: nil, of: attempt(), redirectURI: Self.redirectURI)
        #expect(identity.subject == "17" && identity.username == "ana" && identity.email == "ana@example.org")
        #expect(!identity.isEmailVerified, "the configuration names no field that says so")
        let request = try #require(provider.state.withLock { $0.requests.first { $0.url.hasSuffix("/me") } })
        #expect(request.authorization == "Bearer access")
    }

    @Test func whatABrowserKeepsIsSealedAndBelongsToOneLogIn() throws {
        let seal = BrowserSeal(key: SymmetricKey(size: .bits256))
        let (attempt, now) = (attempt(), provider.clock.wallClock.now())
        let text = try #require(seal.seal(attempt))
        #expect(!text.contains(attempt.state) && seal.open(LogInAttempt.self, text) == attempt)
        #expect(BrowserSeal(key: SymmetricKey(size: .bits256)).open(LogInAttempt.self, text) == nil)
        #expect(seal.open(PendingIdentity.self, text) == nil && seal.open(LogInAttempt.self, "x" + text) == nil)
        #expect(seal.open(LogInAttempt.self, "") == nil)
        try attempt.check(state: attempt.state, provider: "school", at: now)
        for (state, provider, time) in [
            (nil, "school", now), ("other", "school", now), (attempt.state, "another", now),
            (attempt.state, "school", now + LogInAttempt.lifetime),
        ] {
            #expect(throws: ProviderError.self) { try attempt.check(state: state, provider: provider, at: time) }
        }
    }

    @Test(
        arguments: [
            ("https://id.example.org/a?b=c", true), ("http://localhost:8080/", true), ("http://127.0.0.1/", true),
            ("http://[::1]:1/", true), ("http://127.evil.example.org/", false),
            ("http://127.0.0.1.example.org/", false),
            ("http://id.example.org/", false), ("ftp://localhost/", false), ("https://a:b@id.example.org/", false),
            ("https:///x", false), ("https://id.example.org/#x", false), ("", false),
        ])
    func codesAndSecretsAreSentWithHTTPSOrToThisMachine(_ address: String, _ isUsable: Bool) {
        #expect(ProviderAddress.isUsable(address) == isUsable)
    }

    @Test func secretsAreShownByNobody() throws {
        let secret = try #require(ClientSecret("s3cret"))
        var text = "\(secret) \(String(reflecting: secret))"
        dump(secret, to: &text)
        #expect(!text.contains("s3cret") && ClientSecret("") == nil && ClientSecret("a\nb") == nil)
    }
}
