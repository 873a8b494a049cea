/// Limits on a description that a peer sends. Real descriptions have about 20 lines and 2 KB.
package struct SDPLimits: Sendable, Hashable {
    /// Limit on the whole description in bytes, equal to RTSP's limit on bodies.
    package var maximumByteCount = 64 * 1_024
    /// Limit on a line in bytes. The longest real lines hold parameter sets in base64, a few hundred bytes.
    package var maximumLineByteCount = 8 * 1_024
    package var maximumLineCount = 512
    /// Limit on `m=` sections. Cameras announce up to four: video, audio, metadata and back channel.
    package var maximumMediaDescriptionCount = 16

    package static let standard = SDPLimits()

    package init() {}
}
