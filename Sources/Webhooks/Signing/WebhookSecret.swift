import Crypto
import Foundation

/// The key with which messages to a receiver are signed (Standard Webhooks, "Signature scheme"). Its text is shown once
/// to the owner of the receiver; the database holds it encrypted.
///
/// Interpolated and dumped values do not show the key, because they end up in logs.
package struct WebhookSecret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    let bytes: [UInt8]

    /// Standard Webhooks allows 24 to 64 bytes.
    static let allowedByteCounts = 24...64
    private static let byteCount = 32
    private static let prefix = "whsec_"
    /// Version 1: HMAC-SHA256.
    private static let version = "v1"

    /// Creates a random key.
    package init() {
        var generator = SystemRandomNumberGenerator()
        bytes = (0..<Self.byteCount).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// - Returns: `nil` if the number of bytes is not one of ``allowedByteCounts``.
    init?(bytes: [UInt8]) {
        guard Self.allowedByteCounts.contains(bytes.count) else { return nil }
        self.bytes = bytes
    }

    /// - Parameter text: the key as libraries of Standard Webhooks take it, `whsec_` and base64.
    /// - Returns: `nil` for anything else.
    package init?(parsing text: some StringProtocol) {
        guard text.hasPrefix(Self.prefix), let data = Data(base64Encoded: String(text.dropFirst(Self.prefix.count)))
        else { return nil }
        self.init(bytes: Array(data))
    }

    /// The key as libraries of Standard Webhooks take it.
    package var text: String { Self.prefix + Data(bytes).base64EncodedString() }

    /// The signature of a message.
    ///
    /// - Parameters:
    ///   - id: the value of `webhook-id`.
    ///   - timestamp: the value of `webhook-timestamp`, in seconds since 1970.
    ///   - body: the body.
    func signature(of id: String, timestamp: Int64, body: String) -> String {
        let code = HMAC<SHA256>.authenticationCode(
            for: Array("\(id).\(timestamp).\(body)".utf8), using: SymmetricKey(data: bytes))
        return "\(Self.version),\(Data(code).base64EncodedString())"
    }

    package var description: String { "secret (webhook)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
