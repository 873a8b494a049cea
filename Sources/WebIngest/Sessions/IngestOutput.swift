/// A thing that a session tells its browser.
package enum IngestOutput: Sendable, Hashable {
    /// A message in text.
    case text(String)
    /// The end, with the code of a close frame (RFC 6455 §7.4).
    case close(code: UInt16, reason: String)
}
