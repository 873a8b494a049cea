/// Limits on a message that a peer sends.
package struct RTSPMessageLimits: Sendable, Hashable {
    /// Limit on a line in bytes. The longest real lines are `Authorization` headers with Digest, about 400 bytes.
    package var maximumLineByteCount = 4 * 1_024
    /// Limit on header fields; real requests have about ten.
    package var maximumHeaderCount = 64
    /// Limit on start line and headers together, in bytes.
    package var maximumHeadByteCount = 16 * 1_024
    /// Limit on the body in bytes. The only large bodies are session descriptions, about 1 KB.
    package var maximumBodyByteCount = 64 * 1_024

    package static let standard = RTSPMessageLimits()

    package init() {}
}
