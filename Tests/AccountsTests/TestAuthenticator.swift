import Crypto
import CryptoExtras
import Foundation
import WebAuthentication

@testable import Accounts

/// An authenticator of a browser, with one key.
struct TestAuthenticator: Sendable {
    enum Key: Sendable {
        case es256(P256.Signing.PrivateKey)
        case edDSA(Curve25519.Signing.PrivateKey)
        case rs256(_RSA.Signing.PrivateKey)
    }

    var key: Key
    var credentialID: [UInt8] = Array((0..<32).map { _ in UInt8.random(in: 0...255) })
    var signatureCount: UInt32 = 0
    /// User present, user verified.
    var flags: UInt8 = 0x05
    var relyingPartyID = "tv.example.org"
    var origin = "https://tv.example.org"
    var extraFields = ""

    static func all() throws -> [TestAuthenticator] {
        [
            TestAuthenticator(key: .es256(P256.Signing.PrivateKey())),
            TestAuthenticator(key: .edDSA(Curve25519.Signing.PrivateKey())),
            TestAuthenticator(key: .rs256(try _RSA.Signing.PrivateKey(keySize: .bits2048))),
        ]
    }

    // MARK: CBOR

    static func head(_ major: UInt8, _ count: Int) -> [UInt8] {
        switch count {
        case 0..<24: [major << 5 | UInt8(count)]
        case 24..<256: [major << 5 | 24, UInt8(count)]
        default: [major << 5 | 25, UInt8(count >> 8), UInt8(count & 255)]
        }
    }
    static func number(_ value: Int) -> [UInt8] { value < 0 ? head(1, -1 - value) : head(0, value) }
    static func bytes(_ value: [UInt8]) -> [UInt8] { head(2, value.count) + value }
    static func text(_ value: String) -> [UInt8] { head(3, value.utf8.count) + Array(value.utf8) }

    var coseKey: [UInt8] {
        func map(_ entries: [(Int, [UInt8])]) -> [UInt8] {
            Self.head(5, entries.count) + entries.flatMap { Self.number($0.0) + $0.1 }
        }
        switch key {
        case .es256(let key):
            let point = Array(key.publicKey.rawRepresentation)
            return map([
                (1, Self.number(2)), (3, Self.number(-7)), (-1, Self.number(1)),
                (-2, Self.bytes(Array(point[..<32]))), (-3, Self.bytes(Array(point[32...]))),
            ])
        case .edDSA(let key):
            return map([
                (1, Self.number(1)), (3, Self.number(-8)), (-1, Self.number(6)),
                (-2, Self.bytes(Array(key.publicKey.rawRepresentation))),
            ])
        case .rs256(let key):
            guard let primitives = try? key.publicKey.getKeyPrimitives() else { return [] }
            return map([
                (1, Self.number(3)), (3, Self.number(-257)), (-1, Self.bytes(Array(primitives.modulus))),
                (-2, Self.bytes(Array(primitives.publicExponent))),
            ])
        }
    }

    // MARK: Ceremonies

    func clientData(_ type: String, _ challenge: String) -> [UInt8] {
        Array("{\"type\":\"\(type)\",\"challenge\":\"\(challenge)\",\"origin\":\"\(origin)\"\(extraFields)}".utf8)
    }

    func authenticatorData(withCredential: Bool) -> [UInt8] {
        var data = Array(SHA256.hash(data: Array(relyingPartyID.utf8)))
        data.append(withCredential ? flags | 0x40 : flags)
        data += (0..<4).map { UInt8(truncatingIfNeeded: signatureCount >> (24 - 8 * UInt32($0))) }
        guard withCredential else { return data }
        data += [UInt8](repeating: 0, count: 16)
        data += [UInt8(credentialID.count >> 8), UInt8(credentialID.count & 255)] + credentialID
        return data + coseKey
    }

    func attestation(_ challenge: String) -> PasskeyAttestation {
        PasskeyAttestation(
            clientDataJSON: clientData("webauthn.create", challenge),
            attestationObject: Self.head(5, 3) + Self.text("fmt") + Self.text("none") + Self.text("attStmt")
                + Self.head(5, 0) + Self.text("authData") + Self.bytes(authenticatorData(withCredential: true)))
    }

    func assertion(_ challenge: String, type: String = "webauthn.get") throws -> PasskeyAssertion {
        let client = clientData(type, challenge)
        let data = authenticatorData(withCredential: false)
        let signed = data + Array(SHA256.hash(data: client))
        let signature: [UInt8]
        switch key {
        case .es256(let key): signature = Array(try key.signature(for: signed).derRepresentation)
        case .edDSA(let key): signature = Array(try key.signature(for: signed))
        case .rs256(let key):
            signature = Array(
                try key.signature(for: SHA256.hash(data: signed), padding: .insecurePKCS1v1_5).rawRepresentation)
        }
        return PasskeyAssertion(
            credentialID: credentialID, clientDataJSON: client, authenticatorData: data, signature: signature)
    }
}
