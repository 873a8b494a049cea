import Crypto
import CryptoExtras
import Foundation
import JSONDocument
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import WebTokens

/// Tokens are made here with the system's cryptography, not with the library that checks them.
struct TokenVerifierTests {
    private static let now = TestClock.start
    private static let secret = [UInt8]("0123456789abcdef0123456789abcdef".utf8)
    private static let rsa = try? _RSA.Signing.PrivateKey(keySize: .bits2048)
    private static let ecdsa = P256.Signing.PrivateKey()

    private static func text(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private static func token(
        _ header: String, _ claims: String = "{\"exp\": \(now.secondsSince1970 + 100)}",
        sign: (Data) throws -> [UInt8] = { Array(HMAC<SHA256>.authenticationCode(for: $0, using: .init(data: secret))) }
    ) throws -> String {
        let signed = "\(text(header.utf8)).\(text(claims.utf8))"
        return "\(signed).\(text(try sign(Data(signed.utf8))))"
    }

    private static func rs256(_ header: String, _ claims: String? = nil) throws -> String {
        let key = try #require(rsa)
        return try token(header, claims ?? "{\"exp\": \(now.secondsSince1970 + 100)}") {
            Array(try key.signature(for: $0, padding: .insecurePKCS1v1_5).rawRepresentation)
        }
    }

    private static func es256(_ header: String) throws -> String {
        try token(header) { Array(try ecdsa.signature(for: $0).rawRepresentation) }
    }

    /// A key set as a provider publishes it.
    private static func set(_ ids: (rsa: String, ecdsa: String) = ("r", "e")) throws -> [UInt8] {
        let numbers = try #require(rsa).publicKey.getKeyPrimitives()
        let point = ecdsa.publicKey.rawRepresentation
        return Array(
            """
            {"keys": [
              {"kty": "RSA", "kid": "\(ids.rsa)", "use": "sig", "n": "\(text(numbers.modulus))",
               "e": "\(text(numbers.publicExponent))"},
              {"kty": "EC", "kid": "\(ids.ecdsa)", "crv": "P-256", "alg": "ES256", "x": "\(text(point.prefix(32)))",
               "y": "\(text(point.suffix(32)))"},
              {"kty": "oct", "kid": "o", "k": "\(text(secret))"}, {"kty": "new"}, 17
            ]}
            """.utf8)
    }

    private static func keys() async throws -> [TokenKey] {
        try await [TokenKey.secret(secret)] + TokenKey.set(try set())
    }

    private func verify(
        _ token: String, _ verifier: TokenVerifier = TokenVerifier(), keys: [TokenKey]? = nil
    ) async throws -> JSONNode {
        let known = if let keys { keys } else { try await Self.keys() }
        return try await verifier.verify(token, with: known, at: Self.now)
    }

    private func refuses(
        _ token: String, _ code: TokenError.Code, _ verifier: TokenVerifier = TokenVerifier(), keys: [TokenKey]? = nil,
        _ location: SourceLocation = #_sourceLocation
    ) async {
        let error = await #expect(throws: TokenError.self, sourceLocation: location) {
            try await verify(token, verifier, keys: keys)
        }
        #expect(error?.code == code, "\(error?.reason ?? "-")", sourceLocation: location)
    }

    @Test func eachAlgorithmIsAccepted() async throws {
        _ = try await verify(try Self.token(#"{"alg": "HS256", "typ": "JWT"}"#))
        _ = try await verify(try Self.rs256(#"{"alg": "RS256", "kid": "r"}"#))
        _ = try await verify(try Self.rs256(#"{"alg": "RS256"}"#))
        _ = try await verify(try Self.es256(#"{"alg": "ES256", "kid": "e"}"#))
        let claims = try await verify(
            try Self.token(#"{"alg": "HS256"}"#, "{\"exp\": \(Self.now.secondsSince1970 + 1), \"sub\": \"ana\"}"))
        #expect(claims["sub"]?.string == "ana")
    }

    @Test(arguments: [#"{"alg": "none"}"#, #"{"alg": "None"}"#, #"{"alg": "HS512"}"#, #"{"alg": ""}"#])
    func otherAlgorithmsAreRefused(_ header: String) async throws {
        await refuses(try Self.token(header), .unknownKey)
        await refuses(try Self.token(header) { _ in [] }, .unknownKey)
    }

    /// The public key, which everybody knows, is not taken for the secret of an HMAC.
    @Test func aPublicKeyIsNotASecret() async throws {
        let key = try #require(Self.rsa).publicKey
        for text in [Array(key.pemRepresentation.utf8), Array(key.derRepresentation), try Self.set()] {
            for header in [#"{"alg": "HS256"}"#, #"{"alg": "HS256", "kid": "r"}"#] {
                let forged = try Self.token(header) {
                    Array(HMAC<SHA256>.authenticationCode(for: $0, using: .init(data: text)))
                }
                await refuses(forged, .wrongSignature)
                await refuses(forged, .unknownKey, keys: try await TokenKey.set(try Self.set()))
            }
        }
        // A symmetric key in a public document is no key.
        #expect(try await TokenKey.set(try Self.set()).map(\.algorithm) == [.rs256, .es256])
    }

    @Test func keysAreTakenByTheirIDs() async throws {
        await refuses(try Self.rs256(#"{"alg": "RS256", "kid": "other"}"#), .unknownKey)
        await refuses(try Self.rs256(#"{"alg": "ES256", "kid": "e"}"#), .wrongSignature)
        await refuses(try Self.es256(#"{"alg": "RS256", "kid": "e"}"#), .unknownKey)
    }

    @Test func whatIsChangedOrCutIsRefused() async throws {
        let token = try Self.token(#"{"alg": "HS256"}"#)
        let parts = token.split(separator: ".").map(String.init)
        let other = Self.text("{\"exp\": 99999999999}".utf8)
        await refuses("\(parts[0]).\(other).\(parts[2])", .wrongSignature)
        await refuses("\(parts[0]).\(parts[1]).", .wrongSignature)
        for text in ["", ".", "..", "a.b.c", token + ".x", "\(parts[0]).\(parts[1])", "é.é.é"] {
            await refuses(text, .malformed)
        }
        await refuses(String(repeating: "a", count: 9_000), .malformed)
        await refuses(try Self.token(#"{"alg": "HS256", "crit": ["exp"]}"#), .malformed)
        await refuses(try Self.token(#"{"alg": "HS256"}"#, "17"), .wrongSignature)
        await refuses(try Self.token(#"{"alg": "HS256"}"#, String(repeating: "[", count: 5_000)), .wrongSignature)
    }

    @Test func timesAreCheckedWithALeeway() async throws {
        let (header, now) = (#"{"alg": "HS256"}"#, Self.now.secondsSince1970)
        _ = try await verify(try Self.token(header, "{\"exp\": \(now - 59)}"))
        await refuses(try Self.token(header, "{\"exp\": \(now - 60)}"), .expired)
        for claims in ["{}", "{\"exp\": \"soon\"}", "{\"exp\": null}", "{\"exp\": -1e300}"] {
            await refuses(try Self.token(header, claims), .expired)
        }
        _ = try await verify(try Self.token(header, "{\"exp\": 1e300, \"nbf\": \(now + 60)}"))
        await refuses(try Self.token(header, "{\"exp\": \(now + 100), \"nbf\": \(now + 61)}"), .notYetValid)
        await refuses(try Self.token(header, "{\"exp\": \(now + 100), \"nbf\": \"x\"}"), .notYetValid)
    }

    @Test func issuerAndAudienceAreCompared() async throws {
        let header = #"{"alg": "HS256"}"#
        let end = "\"exp\": \(Self.now.secondsSince1970 + 100)"
        let verifier = TokenVerifier(issuer: "https://id.example", audience: "tv")
        for audience in ["\"tv\"", "[\"a\", \"tv\"]"] {
            _ = try await verify(
                try Self.token(header, "{\(end), \"iss\": \"https://id.example\", \"aud\": \(audience)}"), verifier)
        }
        for claims in [
            "{\(end)}", "{\(end), \"iss\": \"https://id.example\"}",
            "{\(end), \"iss\": \"https://id.example/\", \"aud\": \"tv\"}",
            "{\(end), \"iss\": \"https://id.example\", \"aud\": [\"t\", 1]}",
        ] {
            await refuses(try Self.token(header, claims), .notForThisServer, verifier)
        }
    }

    @Test func keysThatCannotBeUsedAreExplained() async throws {
        await #expect(throws: TokenError.self) { try await TokenKey.secret(Array("short".utf8)) }
        for text in [
            "", "{}", "{\"keys\": []}", "{\"keys\": [{\"kty\": \"RSA\", \"n\": \"\", \"e\": \"AQAB\"}]}", "[1]",
        ] {
            await #expect(throws: TokenError.self, "\(text)") { try await TokenKey.set(Array(text.utf8)) }
        }
        await #expect(throws: TokenError.self) {
            try await TokenKey.set([UInt8](repeating: 0x20, count: TokenKey.maximumSetByteCount + 1))
        }
    }

    /// A provider exchanges its keys; strangers' key IDs cause no flood of requests; an outage ends nothing.
    @Test func keysRotate() async throws {
        let clock = TestClock()
        let published = Mutex<[UInt8]?>(try Self.set(("r1", "e1")))
        let count = Mutex(0)
        struct Away: Error {}
        let source = TokenKeySource(fixed: [], uptime: { clock.elapsed }) {
            count.withLock { $0 += 1 }
            guard let text = published.withLock({ $0 }) else { throw Away() }
            return text
        }
        let (first, second) = (
            TokenVerifier.Header(algorithm: .rs256, keyID: "r1"), TokenVerifier.Header(algorithm: .rs256, keyID: "r2")
        )
        // Who comes while the set is on its way waits for it.
        let known = await withTaskGroup(of: [String].self) { group in
            for _ in 0..<20 { group.addTask { await source.keys(for: first).compactMap(\.id) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(known.count == 20 && known.allSatisfy { $0 == ["r1", "e1"] })
        published.withLock { $0 = try? Self.set(("r2", "e2")) }
        for _ in 0..<100 { _ = await source.keys(for: second) }
        #expect(count.withLock { $0 } == 1)
        clock.advance(by: TokenKeySource.minimumInterval)
        #expect(await source.keys(for: second).compactMap(\.id) == ["r2", "e2"])
        published.withLock { $0 = nil }
        clock.advance(by: TokenKeySource.maximumAge)
        #expect(await source.keys(for: second).compactMap(\.id) == ["r2", "e2"])
        #expect(count.withLock { $0 } == 3)
    }
}
