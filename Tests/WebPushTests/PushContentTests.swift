import Crypto
import MediaCore
import Testing

@testable import WebPush

struct PushContentTests {
    private static func bytes(_ text: String) throws -> [UInt8] { try #require(Base64URL.bytes(text)) }

    /// RFC 8291, appendix A.
    @Test func theExampleOfTheStandardIsEncrypted() throws {
        let keys = try PushKeys(
            publicKey: Self.bytes(
                "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
            authentication: Self.bytes("BTBZMqHH6r4Tts7J_aSIgg"))
        let sender = try P256.KeyAgreement.PrivateKey(
            rawRepresentation: Self.bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
        let body = try PushContent.encrypted(
            Array("When I grow up, I want to be a watermelon".utf8), for: keys, sender: sender,
            salt: Self.bytes("DGv6ra1nlYgDCS1FRnbzlw"))
        let expected = """
            DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3\
            jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN
            """
        #expect(Base64URL.text(body) == expected)
    }

    @Test func eachMessageHasAKeyAndASaltOfItsOwn() throws {
        let keys = try PushKeys(
            publicKey: Array(P256.KeyAgreement.PrivateKey().publicKey.x963Representation),
            authentication: [UInt8](repeating: 7, count: 16))
        let content = [UInt8](repeating: 1, count: PushContent.maximumByteCount)
        let (first, second) = (
            try PushContent.encrypted(content, for: keys), try PushContent.encrypted(content, for: keys)
        )
        // The largest message that a push service has to take.
        #expect(first.count == 4_096 && second.count == 4_096)
        #expect(first.prefix(16) != second.prefix(16) && first[21..<86] != second[21..<86])
        #expect(throws: PushError.self) { try PushContent.encrypted(content + [1], for: keys) }
    }

    @Test func keysAreChecked() throws {
        let key = Array(P256.KeyAgreement.PrivateKey().publicKey.x963Representation)
        for (publicKey, count) in [(key, 15), (key, 17), (Array(key.dropLast()), 16), ([], 16)] {
            let authentication = [UInt8](repeating: 0, count: count)
            #expect(throws: PushError.self) { try PushKeys(publicKey: publicKey, authentication: authentication) }
        }
        // A point that is not on the curve.
        #expect(throws: PushError.self) {
            try PushKeys(
                publicKey: [4] + [UInt8](repeating: 1, count: 64), authentication: [UInt8](repeating: 0, count: 16))
        }
        for text in ["a+b/", "a b", "é"] { #expect(Base64URL.bytes(text) == nil, "\(text)") }
        #expect(Base64URL.bytes("_-8=") == [0xFF, 0xEF] && Base64URL.text([0xFF, 0xEF]) == "_-8")
    }
}
