import Crypto
import Foundation
import MediaCore
import Testing

@testable import WebPush

struct PushServerKeyTests {
    /// RFC 8292 §2: a JWT with ES256, whose key goes with it.
    @Test func theTokenIsSignedForThePushService() throws {
        let secret = SymmetricKey(data: [UInt8](repeating: 5, count: 32))
        let key = try PushServerKey(derivedFrom: secret)
        #expect(try PushServerKey(derivedFrom: secret).publicText == key.publicText)
        let time = WallClockTime(secondsSince1970: 1_000)
        let field = try key.authorization(
            for: "https://push.example.org", contact: "https://tv.example.org", at: time)
        let match = try #require(field.wholeMatch(of: /vapid t=([^.]+)\.([^.]+)\.([^,]+), k=(.+)/))
        let claims = try #require(Base64URL.bytes(String(match.2)))
        #expect(
            String(decoding: claims, as: UTF8.self)
                == #"{"aud":"https://push.example.org","exp":44200,"sub":"https://tv.example.org"}"#)
        let publicKey = try P256.Signing.PublicKey(x963Representation: #require(Base64URL.bytes(String(match.4))))
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: #require(Base64URL.bytes(String(match.3))))
        #expect(publicKey.isValidSignature(signature, for: Data("\(match.1).\(match.2)".utf8)))
        #expect(String(match.4) == key.publicText)
    }
}
