package import Accounts
import Crypto
import MediaCore

/// The text with which a client marks a request and its repetitions, as the club keeps it: in the same transaction as
/// what the request has changed. Whatever happens between a request and its answer, a repetition finds out whether the
/// first one was carried out.
package struct RequestKey: Sendable, Hashable {
    /// The digest of the sender, the operation and the client's text, in hexadecimal digits.
    let digest: String

    /// - Parameters:
    ///   - text: the client's text.
    ///   - operation: what it marks, such as `rent`; the same text may mark requests of several operations.
    ///   - caller: who sends it; two senders may use the same text.
    package init(_ text: String, of operation: String, by caller: Caller) {
        let sender = caller.principal.member?.id.text ?? "machine"
        // No field but the last can have a line break.
        digest = SHA256.hash(data: Array("\(sender)\n\(operation)\n\(text)".utf8)).hexadecimalDigits
    }
}
