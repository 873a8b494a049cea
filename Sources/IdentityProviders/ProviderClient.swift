import Crypto
import Foundation
import JSONDocument
package import MediaCore
import WebTokens

/// Speaks with one provider: OpenID Connect Core 1.0 §3.1 (code flow) with PKCE (RFC 7636), or OAuth 2.
///
/// Nothing is requested before somebody logs in. While the discovery document cannot be fetched, the one from before
/// holds.
package actor ProviderClient {
    package nonisolated let provider: IdentityProvider
    private let transport: any ProviderTransport
    private let wallClock: WallClock
    private let uptime: @Sendable () -> Duration
    private var discovered: (document: DiscoveryDocument, at: Duration)?
    private var failedAt: Duration?
    private var keys: (address: String, source: TokenKeySource)?

    /// Time for which a discovery document is used.
    private static let discoveryAge = Duration.seconds(3_600)
    /// Time after a failure for which log-ins fail at once, so that a provider that is away does not hold up visitors.
    private static let pause = Duration.seconds(5)
    /// How old an identity token may be; it comes from the provider a moment ago.
    private static let maximumTokenAge = Duration.seconds(600)

    /// - Parameters:
    ///   - provider: the provider.
    ///   - transport: sends the requests.
    ///   - wallClock: tells the time by which tokens are judged.
    ///   - uptime: the time since some start.
    package init(
        _ provider: IdentityProvider, transport: any ProviderTransport, wallClock: WallClock = .system,
        uptime: @escaping @Sendable () -> Duration = ContinuousClock().elapsed()
    ) {
        (self.provider, self.transport, self.wallClock, self.uptime) = (provider, transport, wallClock, uptime)
    }

    /// The address to which the browser is sent.
    ///
    /// - Parameters:
    ///   - attempt: the log-in that begins.
    ///   - redirectURI: the address to which the provider sends the browser back.
    /// - Throws: ``ProviderError`` with `notAvailable`.
    package func authorizationURL(for attempt: LogInAttempt, redirectURI: String) async throws -> String {
        let challenge = Base64URL.text(SHA256.hash(data: Array(attempt.verifier.utf8)))
        var parameters = [
            ("response_type", "code"), ("client_id", provider.clientID), ("redirect_uri", redirectURI),
            ("state", attempt.state), ("code_challenge", challenge), ("code_challenge_method", "S256"),
        ]
        if !provider.scopes.isEmpty { parameters.append(("scope", provider.scopes.joined(separator: " "))) }
        switch provider.kind {
        case .openID:
            parameters.append(("nonce", attempt.nonce))
            return ProviderAddress.adding(parameters, to: try await document().authorization)
        case .oauth(let endpoints): return ProviderAddress.adding(parameters, to: endpoints.authorization)
        }
    }

    /// Finds out who somebody is.
    ///
    /// - Parameters:
    ///   - code: the code of the provider's answer.
    ///   - issuer: the issuer that the answer names (RFC 9207); `nil` if it names none.
    ///   - attempt: the log-in to which the answer belongs.
    ///   - redirectURI: the same as when the log-in began.
    /// - Throws: ``ProviderError``
    package func identity(
        code: String, issuer: String?, of attempt: LogInAttempt, redirectURI: String
    ) async throws -> ProviderIdentity {
        switch provider.kind {
        case .openID:
            let document = try await document()
            // An answer of another provider, whose code must not be sent here (RFC 9207 §2.4).
            guard issuer == document.issuer || (issuer == nil && !document.namesIssuerInAnswers) else {
                throw ProviderError(.notValid, "the answer comes from another issuer")
            }
            let answer = try await exchange(
                code, at: document.token, attempt, redirectURI, secretInForm: showsSecretInForm(document))
            return try await openIDIdentity(answer, document, attempt)
        case .oauth(let endpoints):
            let answer = try await exchange(code, at: endpoints.token, attempt, redirectURI, secretInForm: true)
            return try await oauthIdentity(answer, endpoints)
        }
    }

    // MARK: Discovery

    private func document() async throws(ProviderError) -> DiscoveryDocument {
        guard case .openID(let issuer) = provider.kind else {
            throw ProviderError(.notAvailable, "the provider has no discovery document")
        }
        let now = uptime()
        if let discovered, now - discovered.at < Self.discoveryAge { return discovered.document }
        if let failedAt, now - failedAt < Self.pause {
            if let discovered { return discovered.document }
            throw ProviderError(.notAvailable, "it did not answer a moment ago")
        }
        do {
            let bytes = try await fetch(
                ProviderRequest(url: DiscoveryDocument.address(of: issuer)), "discovery document")
            let document = try DiscoveryDocument(bytes, issuer: issuer)
            (discovered, failedAt) = ((document, uptime()), nil)
            return document
        } catch {
            failedAt = uptime()
            if let discovered { return discovered.document }
            throw error
        }
    }

    private func keySource(_ address: String) -> TokenKeySource {
        if let keys, keys.address == address { return keys.source }
        let source = TokenKeySource(fixed: [], uptime: uptime) { [transport] in
            let response = try await transport.send(ProviderRequest(url: address))
            guard response.status == 200 else { throw ProviderError(.notAvailable, "its keys cannot be fetched") }
            return response.body
        }
        keys = (address, source)
        return source
    }

    // MARK: Codes

    private func exchange(
        _ code: String, at address: String, _ attempt: LogInAttempt, _ redirectURI: String, secretInForm: Bool
    ) async throws(ProviderError) -> JSONNode {
        var form = [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirectURI),
            ("client_id", provider.clientID), ("code_verifier", attempt.verifier),
        ]
        var request = ProviderRequest(url: address)
        if let secret = provider.secret {
            if secretInForm {
                form.append(("client_secret", secret.text))
            } else {
                // RFC 6749 §2.3.1: both parts are form-encoded first.
                let pair = "\(ProviderAddress.encoded(provider.clientID)):\(ProviderAddress.encoded(secret.text))"
                request.authorization = "Basic " + Data(pair.utf8).base64EncodedString()
            }
        }
        request.form = ProviderAddress.form(form)
        let response = try await send(request, "token")
        guard let node = try? JSONParser.parse(response.body) else {
            throw ProviderError(.notAvailable, "its answer to a code is not JSON (status \(response.status))")
        }
        guard response.status == 200, node["error"] == nil else {
            let error = node["error"]?.string ?? "none"
            throw ProviderError(
                .notValid, "it refuses the code (status \(response.status), error \(error.prefix(100)))")
        }
        return node
    }

    /// Some providers do not decode what RFC 6749 §2.3.1 has clients encode in the header (seen with glewlwyd 2.7), so
    /// a secret with other characters than letters and digits goes into the form if it may.
    private func showsSecretInForm(_ document: DiscoveryDocument) -> Bool {
        guard document.takesSecretInForm, let secret = provider.secret else { return false }
        return !document.takesSecretInHeader || ProviderAddress.encoded(secret.text) != secret.text
    }

    // MARK: Who somebody is

    private func openIDIdentity(
        _ answer: JSONNode, _ document: DiscoveryDocument, _ attempt: LogInAttempt
    ) async throws -> ProviderIdentity {
        guard let token = answer["id_token"]?.string else {
            throw ProviderError(.notValid, "its answer has no identity token")
        }
        let claims: JSONNode
        let header: TokenVerifier.Header
        do {
            header = try TokenVerifier.header(of: token)
            // Keys of a set verify; a token that was signed with the client's secret is not accepted.
            guard header.algorithm != .hs256 else { throw TokenError(.unknownKey, "the token needs a public key") }
            let keys = await keySource(document.keySet).keys(for: header)
            claims = try await TokenVerifier(issuer: document.issuer, audience: provider.clientID)
                .verify(token, with: keys, at: wallClock.now())
        } catch let error as TokenError {
            throw ProviderError(.notValid, "its identity token is not valid: \(error.reason)")
        }
        try check(claims, header, accessToken: answer["access_token"]?.string, attempt)
        let subject = try ProviderIdentity.subject(claims["sub"])
        var described = [claims]
        // What the token does not say may stand there. It counts for the same subject only (OpenID Connect Core
        // §5.3.2).
        if let address = document.userInfo, let access = answer["access_token"]?.string,
            let node = try? await userInfo(address, access), node["sub"]?.identifier == subject
        {
            described.append(node)
        }
        func first(_ name: String) -> String? { described.compactMap { ProviderIdentity.text($0[name]) }.first }
        var identity = ProviderIdentity(provider: provider.id, subject: subject)
        identity.username = first("preferred_username") ?? first("nickname")
        identity.name = first("name")
        identity.picture = described.compactMap { ProviderIdentity.address($0["picture"]) }.first
        // The address and whether it was checked belong together.
        if let source = described.first(where: { ProviderIdentity.text($0["email"]) != nil }) {
            identity.email = ProviderIdentity.text(source["email"])
            identity.isEmailVerified = source["email_verified"]?.boolean ?? (source["email_verified"]?.string == "true")
        }
        identity.roles = provider.roles.map { mapping in described.flatMap { mapping.roles(in: $0) } }
        return identity
    }

    /// OpenID Connect Core 1.0 §3.1.3.7, beside what ``TokenVerifier`` checks.
    private func check(
        _ claims: JSONNode, _ header: TokenVerifier.Header, accessToken: String?, _ attempt: LogInAttempt
    ) throws(ProviderError) {
        guard claims["nonce"]?.string == attempt.nonce else {
            throw ProviderError(.notValid, "its identity token belongs to another log-in")
        }
        if let party = claims["azp"], party.string != provider.clientID {
            throw ProviderError(.notValid, "its identity token is for another client")
        }
        if (claims["aud"]?.elements ?? []).count > 1, claims["azp"]?.string != provider.clientID {
            throw ProviderError(.notValid, "its identity token has several audiences and is not for this client")
        }
        let now = Double(wallClock.now().secondsSince1970)
        guard let issued = claims["iat"]?.number, issued.isFinite,
            issued <= now + TokenVerifier.leeway.seconds, issued >= now - Self.maximumTokenAge.seconds
        else { throw ProviderError(.notValid, "its identity token was not issued just now") }
        if let hash = claims["at_hash"]?.string, let accessToken {
            // §3.1.3.6: RS256 and ES256 both have SHA-256.
            let expected = Base64URL.text(SHA256.hash(data: Array(accessToken.utf8)).prefix(16))
            guard hash == expected else { throw ProviderError(.notValid, "its tokens do not belong together") }
        }
    }

    private func oauthIdentity(_ answer: JSONNode, _ endpoints: OAuthEndpoints) async throws -> ProviderIdentity {
        guard let access = answer["access_token"]?.string else {
            throw ProviderError(.notValid, "its answer has no token")
        }
        let node = try await userInfo(endpoints.userInfo, access)
        let fields = endpoints.fields
        var identity = ProviderIdentity(
            provider: provider.id, subject: try ProviderIdentity.subject(node.field(at: fields.subject)))
        identity.username = ProviderIdentity.text(node.field(at: fields.username))
        identity.name = ProviderIdentity.text(node.field(at: fields.name))
        identity.email = ProviderIdentity.text(node.field(at: fields.email))
        identity.isEmailVerified = fields.emailVerified.flatMap { node.field(at: $0)?.boolean } ?? false
        identity.roles = provider.roles.map { $0.roles(in: node) }
        return identity
    }

    private func userInfo(_ address: String, _ accessToken: String) async throws(ProviderError) -> JSONNode {
        let bytes = try await fetch(ProviderRequest(url: address, authorization: "Bearer \(accessToken)"), "user info")
        guard let node = try? JSONParser.parse(bytes), node.members != nil else {
            throw ProviderError(.notAvailable, "its user info is not a JSON object")
        }
        return node
    }

    // MARK: Requests

    private func fetch(_ request: ProviderRequest, _ what: String) async throws(ProviderError) -> [UInt8] {
        let response = try await send(request, what)
        guard response.status == 200 else {
            throw ProviderError(.notAvailable, "its \(what) cannot be fetched: status \(response.status)")
        }
        return response.body
    }

    private func send(_ request: ProviderRequest, _ what: String) async throws(ProviderError) -> ProviderResponse {
        do {
            return try await transport.send(request)
        } catch {
            throw ProviderError(.notAvailable, "its \(what) cannot be fetched: \(error)")
        }
    }
}
