import Crypto
import Foundation
import LiveChannels
import MediaCore
import NIOCore
import RTSPProtocol

/// The challenge that encoders with fields for a username and a password answer, as librtmp and ffmpeg do: a digest
/// that Adobe has never published, in the application of `connect`.
///
/// The salt is what stands between username and password in the digests that channels keep of their publishers'
/// passwords, so that those digests are enough.
struct AdobeChallenge: Sendable {
    /// The answer of a peer.
    struct Answer: Sendable, Hashable {
        var user: String
        /// The digest; `nil` if the peer asks for a challenge.
        var response: String?
        /// A word of the peer that is part of the digest.
        var challenge: String
        /// The server's own word.
        var opaque: String

        /// - Parameter value: the value of a parameter of the application.
        /// - Returns: `nil` for a peer that does not speak of challenges.
        init?(value: (String) -> String?) {
            guard value("authmod") == "adobe", let user = value("user") else { return nil }
            self.user = user
            response = value("response")
            (challenge, opaque) = (value("challenge") ?? "", value("opaque") ?? "")
        }
    }

    static let salt = ":\(PublisherCredential.realm):"
    /// Time for which a challenge can be answered, in seconds; encoders connect again at once.
    static let lifetime: Int64 = 60

    /// The words with which encoders learn that they are to ask for a challenge.
    static let invitation = "[ AccessManager.Reject ] : [ code=403 need auth; authmod=adobe ] : "

    private let key = SymmetricKey(size: .bits256)

    /// The refusal that carries a challenge.
    func question(for user: String, now: NIODeadline) -> String {
        let opaque = word(at: Int64(now.uptimeNanoseconds / 1_000_000_000))
        let name = user.filter { $0.isLetter || $0.isNumber || "-_.@".contains($0) }
        return "[ AccessManager.Reject ] : [ authmod=adobe ] : ?reason=needauth&user=\(name)&salt=\(Self.salt)"
            + "&challenge=\(opaque)&opaque=\(opaque)"
    }

    /// Whether an answer proves that its sender knows one of the credentials.
    func accepts(_ answer: Answer, _ credentials: [PublisherCredential], now: NIODeadline) -> Bool {
        let seconds = Int64(now.uptimeNanoseconds / 1_000_000_000)
        guard let response = answer.response, let dot = answer.opaque.firstIndex(of: "."),
            let issued = Int64(answer.opaque[..<dot]), (0...Self.lifetime).contains(seconds &- issued),
            equalsInConstantTime(word(at: issued), answer.opaque)
        else { return false }
        // All are compared, so that the time says nothing about usernames.
        return credentials.reduce(false) { found, credential in
            let isRight = equalsInConstantTime(Self.response(credential, answer), response)
            return (isRight && equalsInConstantTime(credential.username, answer.user)) || found
        }
    }

    /// The word of a second, which nobody else can make.
    private func word(at seconds: Int64) -> String {
        let code = HMAC<SHA256>.authenticationCode(for: Data("\(seconds)".utf8), using: key)
        return "\(seconds).\(code.prefix(16).hexadecimalDigits)"
    }

    static func response(_ credential: PublisherCredential, _ answer: Answer) -> String {
        let salted = Data([UInt8](hexadecimalDigits: credential.md5) ?? []).base64EncodedString()
        let digest = Insecure.MD5.hash(data: Data((salted + answer.opaque + answer.challenge).utf8))
        return Data(digest).base64EncodedString()
    }
}
