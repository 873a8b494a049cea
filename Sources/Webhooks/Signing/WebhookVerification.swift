import Crypto
import Foundation
package import MediaCore

/// Checks messages that others send by the scheme of Standard Webhooks.
package struct WebhookVerification: Sendable {
    /// The reason why a message is refused.
    package enum Failure: String, Error, Sendable, Hashable {
        case missingHeader = "webhook-id, webhook-timestamp and webhook-signature are required"
        case oldTimestamp = "the timestamp is too far from the time of this server"
        case wrongSignature = "the signature is wrong"
    }

    private let secret: WebhookSecret

    /// Time by which a message may differ from the time of this server, so that a recorded one is of no use later.
    package static let tolerance = Duration.seconds(300)
    /// Limit of the signatures of a message; there are two while a secret is rotated.
    private static let maximumSignatureCount = 8
    /// Limit of `webhook-id`.
    private static let maximumIdentifierByteCount = 256

    package init(_ secret: WebhookSecret) { self.secret = secret }

    /// - Parameters:
    ///   - id: the value of `webhook-id`; `nil` without the header.
    ///   - timestamp: the value of `webhook-timestamp`; `nil` without the header.
    ///   - signatures: the value of `webhook-signature`; `nil` without the header.
    ///   - body: the body as it was received.
    ///   - now: the time of this server.
    package func check(
        id: String?, timestamp: String?, signatures: String?, body: [UInt8], at now: WallClockTime
    ) throws(Failure) {
        guard let id, !id.isEmpty, id.utf8.count <= Self.maximumIdentifierByteCount, let timestamp, let signatures,
            let seconds = Int64(timestamp)
        else { throw .missingHeader }
        let (difference, overflow) = now.secondsSince1970.subtractingReportingOverflow(seconds)
        guard !overflow, Duration.seconds(difference.magnitude) <= Self.tolerance else { throw .oldTimestamp }
        let key = SymmetricKey(data: secret.bytes)
        let message = Array("\(id).\(timestamp).".utf8) + body
        let isSigned = signatures.split(separator: " ").prefix(Self.maximumSignatureCount).contains { signature in
            guard signature.hasPrefix("v1,"), let code = Data(base64Encoded: String(signature.dropFirst(3))) else {
                return false
            }
            return HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: message, using: key)
        }
        guard isSigned else { throw .wrongSignature }
    }
}
