/// A session description (RFC 8866), with the parts of it that media over RTSP uses.
///
/// Not named after its module, because a module that holds a type of its own name breaks qualified look-up.
package struct SDPSession: Sendable, Hashable {
    /// `o=`, without interpretation: nothing here depends on it.
    package var origin: String
    /// `s=`.
    package var name: String
    /// `c=` at session level.
    package var connection: String?
    /// `a=` at session level, in order.
    package var attributes: [SDPAttribute]
    package var media: [SDPMediaDescription]

    package init(
        origin: String = "- 0 0 IN IP4 127.0.0.1",
        name: String = "-",
        connection: String? = nil,
        attributes: [SDPAttribute] = [],
        media: [SDPMediaDescription] = []
    ) {
        self.origin = origin
        self.name = name
        self.connection = connection
        self.attributes = attributes
        self.media = media
    }

    /// RFC 2326 §C.1.1: the aggregate control URL, or `*` for the base URL itself.
    package var control: String? { attributes.value(of: "control") }
}

/// One `a=` line: `a=rtpmap:96 H264/90000` has a value, `a=recvonly` has none.
package struct SDPAttribute: Sendable, Hashable {
    package var name: String
    package var value: String?

    package init(_ name: String, _ value: String? = nil) {
        self.name = name
        self.value = value
    }
}

extension [SDPAttribute] {
    /// The value of the first attribute of that name. Attribute names are case-sensitive (RFC 8866 §5.13).
    package func value(of name: String) -> String? { first { $0.name == name }?.value }
}
