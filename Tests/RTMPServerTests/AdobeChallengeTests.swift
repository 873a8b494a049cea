import Crypto
import Foundation
import LiveChannels
import NIOCore
import Testing

@testable import RTMPServer

/// The challenge of encoders that have fields for a username and a password.
struct AdobeChallengeTests {
    private let challenge = AdobeChallenge()
    private static let now = NIODeadline.uptimeNanoseconds(100_000_000_000)

    private static func credential(_ username: String, _ password: String) -> PublisherCredential {
        let digest = Insecure.MD5.hash(data: Data("\(username):\(PublisherCredential.realm):\(password)".utf8))
        return PublisherCredential(
            username: username, md5: digest.map { String(format: "%02x", $0) }.joined(), sha256: "")
    }

    /// What an encoder answers, computed from what it knows: the way that librtmp and ffmpeg go.
    private func answer(_ question: String, _ username: String, _ password: String) throws -> AdobeChallenge.Answer {
        let query = try #require(question.split(separator: "?").last)
        var fields: [String: String] = [:]
        for pair in query.split(separator: "&") {
            let sides = pair.split(separator: "=", maxSplits: 1).map(String.init)
            fields[sides[0]] = sides[1]
        }
        func digest(_ text: String) -> String {
            Data(Insecure.MD5.hash(data: Data(text.utf8))).base64EncodedString()
        }
        let salted = digest(username + (try #require(fields["salt"])) + password)
        let own = "0badcafe"
        let response = digest(salted + (try #require(fields["opaque"])) + own)
        return try #require(
            AdobeChallenge.Answer { name in
                [
                    "authmod": "adobe", "user": username, "challenge": own, "response": response,
                    "opaque": fields["opaque"] ?? "",
                ][name]
            })
    }

    private func ask(_ user: String) -> String { challenge.question(for: user, now: Self.now) }

    @Test func theRightPasswordIsAccepted() throws {
        let known = [Self.credential("eva", "x"), Self.credential("ana", "s3cret")]
        let right = try answer(ask("ana"), "ana", "s3cret")
        #expect(challenge.accepts(right, known, now: Self.now + .seconds(5)))
        #expect(!challenge.accepts(right, known, now: Self.now + .seconds(61)), "it is too old")
        #expect(!challenge.accepts(right, [known[0]], now: Self.now))
        #expect(!challenge.accepts(try answer(ask("ana"), "ana", "wrong"), known, now: Self.now))
        #expect(!challenge.accepts(try answer(ask("ana"), "eva", "s3cret"), known, now: Self.now))
    }

    @Test func aChallengeThatNobodyHasMadeIsRefused() throws {
        let known = [Self.credential("ana", "s3cret")]
        for opaque in ["100.00000000000000000000000000000000", "x", "", "100.", "-1.0"] {
            let forged = try answer("?salt=\(AdobeChallenge.salt)&opaque=\(opaque)x", "ana", "s3cret")
            #expect(!challenge.accepts(forged, known, now: Self.now), "\(opaque)")
        }
        let foreign = AdobeChallenge().question(for: "ana", now: Self.now)
        #expect(!challenge.accepts(try answer(foreign, "ana", "s3cret"), known, now: Self.now))
    }

    @Test func aUsernameCannotPutWordsIntoTheChallenge() {
        let question = ask("ana&salt=x ] : ?reason=authfailed")
        #expect(question.contains("user=anasaltxreasonauthfailed&salt=:Antena:&"))
    }
}
