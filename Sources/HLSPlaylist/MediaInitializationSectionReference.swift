/// The resource that an EXT-X-MAP tag names.
struct MediaInitializationSectionReference: Sendable, Hashable {
    var uri: String
    var byteRange: ByteRange?

    init?(_ uri: String?, _ byteRange: ByteRange?) {
        guard let uri else { return nil }
        (self.uri, self.byteRange) = (uri, byteRange)
    }

    func write(into writer: inout PlaylistWriter) {
        writer.tag("#EXT-X-MAP") { list in
            list.attribute("URI", uri: uri)
            if let byteRange { list.attribute("BYTERANGE", byteRange: byteRange) }
        }
    }
}
