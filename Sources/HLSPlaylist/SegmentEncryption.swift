/// EXT-X-KEY with METHOD=AES-128 (rfc8216bis §4.4.4.4): whole resources in CBC mode with padding.
///
/// One tag, with an initialization vector, precedes EXT-X-MAP and applies to everything after it. Deriving the vector
/// from media sequence numbers would leave the initialization section without one (rfc8216bis §4.4.4.5), and
/// GStreamer decrypts that section with the segments' vector, whichever tag precedes it.
package struct SegmentEncryption: Sendable, Hashable {
    package var keyURI: String
    /// Initialization vector: 32 hexadecimal digits.
    package var initializationVector: String

    package init(keyURI: String, initializationVector: String) {
        self.keyURI = keyURI
        self.initializationVector = initializationVector
    }

    func write(into writer: inout PlaylistWriter) {
        writer.tag("#EXT-X-KEY") { list in
            list.attribute("METHOD", enumerated: "AES-128")
            list.attribute("URI", uri: keyURI)
            list.attribute("IV", enumerated: "0x" + initializationVector)
        }
    }
}
