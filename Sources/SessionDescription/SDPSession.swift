/// A session description (RFC 8866), limited to the parts that media over RTSP uses.
///
/// The type is not named after its module, because a module that contains a type of its own name breaks qualified
/// name lookup.
package struct SDPSession: Sendable, Hashable {
    /// The `o=` line, which is not interpreted.
    package var origin: String
    /// The `s=` line.
    package var name: String
    /// The `c=` line at session level; `nil` if there is none.
    package var connection: String?
    /// The `a=` lines at session level, in order.
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

    /// The aggregate control URL, or `*` for the base URL itself (RFC 2326 §C.1.1); `nil` if there is none.
    package var control: String? { attributes.value(of: "control") }
}
