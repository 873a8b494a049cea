/// EXT-X-KEY with METHOD=AES-128 (draft-pantos-hls-rfc8216bis §4.4.4.4): whole resources in CBC mode with padding.
///
/// One tag, with the initialization vector, stands in front of EXT-X-MAP and holds for everything behind it. A vector by
/// media sequence number would leave the initialization section without one (§4.4.4.5), and GStreamer decrypts that with
/// the segments' vector, whatever tag it stands behind.
package struct SegmentEncryption: Sendable, Hashable {
    package var keyURI: String
    /// In hexadecimal: 32 digits.
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
