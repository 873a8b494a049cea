import Crypto
import MediaCore
import TestSupport
import Testing
import WebAuthentication

@testable import Accounts

struct CBORTests {
    private func parse(_ hexadecimal: String) -> CBORValue? {
        var text = bytes(hexadecimal: hexadecimal)[...]
        guard let value = CBORValue(parsing: &text), text.isEmpty else { return nil }
        return value
    }

    /// RFC 8949, appendix A.
    @Test func itemsAreThoseOfTheSpecification() {
        let cases: [(String, CBORValue)] = [
            ("00", .unsigned(0)), ("17", .unsigned(23)), ("1818", .unsigned(24)), ("1903e8", .unsigned(1_000)),
            ("1a000f4240", .unsigned(1_000_000)), ("1bffffffffffffffff", .unsigned(.max)), ("20", .negative(0)),
            ("3863", .negative(99)), ("3bffffffffffffffff", .negative(.max)), ("f4", .boolean(false)),
            ("f5", .boolean(true)), ("f6", .null), ("40", .bytes([])), ("4401020304", .bytes([1, 2, 3, 4])),
            ("6449455446", .text("IETF")), ("62c3bc", .text("ü")), ("80", .array([])),
            ("83010203", .array([.unsigned(1), .unsigned(2), .unsigned(3)])), ("a0", .map([:])),
            ("a201020304", .map([.unsigned(1): .unsigned(2), .unsigned(3): .unsigned(4)])),
            ("a16161a0", .map([.text("a"): .map([:])])),
        ]
        for (text, expected) in cases { #expect(parse(text) == expected, "\(text)") }
        #expect(parse("3863")?.integer == -100 && parse("3bffffffffffffffff")?.integer == nil)
    }

    @Test func whatIsNotSupportedIsRefused() {
        let cases = [
            "", "18", "19ff", "41", "5affffffff00", "5bffffffffffffffff00", "9bffffffffffffffff",
            "bbffffffffffffffff00",
            "61ff", "5f4100ff", "9f01ff", "bf0102ff", "c001", "f90000", "fb0000000000000000", "f7", "ff", "1c", "fc",
            // A key twice.
            "a201020103",
            // Too deep.
            String(repeating: "81", count: 20) + "00",
        ]
        for text in cases { #expect(parse(text) == nil, "\(text)") }
        // Too many items.
        var many = (TestAuthenticator.head(4, 2_000) + [UInt8](repeating: 0, count: 2_000))[...]
        #expect(CBORValue(parsing: &many) == nil)
    }

    /// Nothing that a browser sends ends the server: every cut and thousands of mutations.
    @Test func nothingTraps() throws {
        let party = RelyingParty(id: "tv.example.org", name: "x", origins: ["https://tv.example.org"])
        var random = SeededGenerator(seed: 17)
        for authenticator in try TestAuthenticator.all() {
            let good = authenticator.attestation("abc")
            _ = try party.check(good)
            for end in 0..<good.attestationObject.count {
                var cut = good
                cut.attestationObject = Array(good.attestationObject.prefix(end))
                #expect(throws: Refusal.self) { _ = try party.check(cut) }
            }
            for _ in 0..<3_000 {
                var changed = good
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let index = Int.random(in: 0..<changed.attestationObject.count, using: &random)
                    changed.attestationObject[index] = UInt8.random(in: 0...255, using: &random)
                }
                _ = try? party.check(changed)
            }
            let data = authenticator.authenticatorData(withCredential: true)
            for end in 0..<data.count { #expect(AuthenticatorData(parsing: Array(data.prefix(end))) == nil) }
            #expect(AuthenticatorData(parsing: data + [0]) == nil)
            let client = authenticator.clientData("webauthn.get", "abc")
            for end in 0..<client.count { #expect(ClientData(parsing: Array(client.prefix(end))) == nil) }
        }
        for _ in 0..<5_000 {
            let count = Int.random(in: 0...64, using: &random)
            var text = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }[...]
            _ = CBORValue(parsing: &text)
        }
        // Nesting in JSON ends with an error, not with the stack.
        let nested = Array("{\"type\":\(String(repeating: "[", count: 2_000))".utf8)
        #expect(ClientData(parsing: nested) == nil)
        #expect(ClientData(parsing: [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)) == nil)
    }

    @Test func keysThatAreNoneAreRefused() throws {
        let point = Array(P256.Signing.PrivateKey().publicKey.rawRepresentation)
        func key(_ entries: [Int: CBORValue]) -> PasskeyKey? {
            PasskeyKey(
                .map(
                    Dictionary(
                        uniqueKeysWithValues: entries.map { key, value in
                            (key < 0 ? CBORValue.negative(UInt64(-1 - key)) : .unsigned(UInt64(key)), value)
                        })))
        }
        let good: [Int: CBORValue] = [
            1: .unsigned(2), 3: .negative(6), -1: .unsigned(1), -2: .bytes(Array(point[..<32])),
            -3: .bytes(Array(point[32...])),
        ]
        #expect(key(good) != nil)
        let changes: [(Int, CBORValue)] = [
            (1, .unsigned(3)), (3, .negative(256)), (3, .negative(7)), (-1, .unsigned(2)), (-2, .bytes([])),
            (-3, .bytes(Array(point[..<32]))), (-2, .bytes([UInt8](repeating: 0, count: 32))),
        ]
        for (number, value) in changes {
            var changed = good
            changed[number] = value
            #expect(key(changed) == nil, "\(number)")
        }
        // An RSA key of 512 bits.
        #expect(
            key([
                1: .unsigned(3), 3: .negative(256), -1: .bytes([UInt8](repeating: 0xFF, count: 64)),
                -2: .bytes([1, 0, 1]),
            ]) == nil)
        #expect(PasskeyKey(parsing: []) == nil && PasskeyKey(parsing: [0xA0]) == nil)
    }
}
