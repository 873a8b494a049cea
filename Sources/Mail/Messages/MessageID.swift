/// The identifier of a mail, which stays the same when it is sent again (RFC 5322 §3.6.4).
package struct MessageID: Sendable, Hashable {
    /// The identifier with its brackets.
    package let text: String

    /// The separator of the parts of the mail (RFC 2046 §5.1.1).
    let boundary: String

    private static let wordCount = 2

    /// A random identifier.
    ///
    /// - Parameter domain: the domain of the sender.
    package init(domain: String) {
        let random = (0..<Self.wordCount).map { _ in
            String(UInt64.random(in: .min ... .max), radix: 36)
        }.joined(separator: ".")
        text = "<\(random)@\(domain)>"
        boundary = "=_\(random)"
    }
}
