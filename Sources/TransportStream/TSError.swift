/// A violation of MPEG-TS or of a limit, after which a stream cannot go on.
package struct TSError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The deed of the sender, and the limit or rule.
    package let description: String

    init(_ description: String) { self.description = description }
}
