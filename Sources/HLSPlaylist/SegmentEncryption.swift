/// EXT-X-KEY (rfc8216bis §4.4.4.4).
///
/// One tag, with an initialization vector, precedes EXT-X-MAP and applies to everything after it. Deriving the vector
/// from media sequence numbers would leave the initialization section without one (rfc8216bis §4.4.4.5), and
/// GStreamer decrypts that section with the segments' vector, whichever tag precedes it.
package struct SegmentEncryption: Sendable, Hashable {
    /// The part of the media that is encrypted.
    package enum Method: Sendable, Hashable {
        /// Whole resources in CBC mode with padding (AES-128).
        case resources
        /// The samples of fMP4 by the scheme `cbcs` (SAMPLE-AES). The initialization section is in the clear and has
        /// the vector as well.
        case samples
    }

    package var method: Method
    package var keyURI: String
    /// Initialization vector: 32 hexadecimal digits.
    package var initializationVector: String

    package init(_ method: Method, keyURI: String, initializationVector: String) {
        (self.method, self.keyURI, self.initializationVector) = (method, keyURI, initializationVector)
    }

    func write(into writer: inout PlaylistWriter) {
        writer.tag("#EXT-X-KEY") { list in
            switch method {
            case .resources: list.attribute("METHOD", enumerated: "AES-128")
            case .samples: list.attribute("METHOD", enumerated: "SAMPLE-AES")
            }
            list.attribute("URI", uri: keyURI)
            list.attribute("IV", enumerated: "0x" + initializationVector)
            if method == .samples { list.attribute("KEYFORMAT", quoted: "identity") }
        }
    }
}
