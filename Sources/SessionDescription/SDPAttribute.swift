/// An `a=` line: `a=rtpmap:96 H264/90000` has a value, `a=recvonly` does not.
package struct SDPAttribute: Sendable, Hashable {
    package var name: String
    /// The text after the colon; `nil` if there is none.
    package var value: String?

    package init(_ name: String, _ value: String? = nil) {
        self.name = name
        self.value = value
    }
}

extension [SDPAttribute] {
    /// The value of the first attribute with that name; `nil` if there is none. Attribute names are case-sensitive
    /// (RFC 8866 §5.13).
    package func value(of name: String) -> String? { first { $0.name == name }?.value }
}
