/// A violation of RTMP or of a limit, after which a connection cannot go on.
package struct RTMPError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The deed of the peer, and the limit or rule.
    package let description: String

    package init(_ description: String) { self.description = description }
}
