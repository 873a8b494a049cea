/// EXT-X-KEY with METHOD=AES-128 (draft-pantos-hls-rfc8216bis §4.4.4.4): whole resources in CBC mode with padding.
///
/// Segments have their media sequence number for an initialization vector. An initialization section has no number, so
/// its vector is told (§4.4.4.5), by an EXT-X-KEY of its own.
package struct SegmentEncryption: Sendable, Hashable {
    package var keyURI: String
    /// Of the initialization section, in hexadecimal: 32 digits; `nil` where there is none.
    package var initializationVector: String?

    package init(keyURI: String, initializationVector: String? = nil) {
        self.keyURI = keyURI
        self.initializationVector = initializationVector
    }

    func write(into writer: inout PlaylistWriter, map: MediaInitializationSectionReference?) {
        if let map, let initializationVector {
            write(into: &writer, initializationVector: initializationVector)
            map.write(into: &writer)
        }
        write(into: &writer, initializationVector: nil)
    }

    private func write(into writer: inout PlaylistWriter, initializationVector: String?) {
        writer.tag("#EXT-X-KEY") { list in
            list.attribute("METHOD", enumerated: "AES-128")
            list.attribute("URI", uri: keyURI)
            if let initializationVector { list.attribute("IV", enumerated: "0x" + initializationVector) }
        }
    }
}
