/// The name of a rendition: what is packaged, listed and fetched by itself. A stream has one of each media type that
/// every player finds, and may have others of the same media type beside it, such as audio in another codec.
package struct RenditionID: Sendable, Hashable, Comparable, CustomStringConvertible {
    package let mediaType: MediaType
    /// The name in URLs, file names and journals: `video`, `audio`, `audio-opus`.
    package let name: String

    package static let video = RenditionID(.video)
    package static let audio = RenditionID(.audio)

    /// Bytes of the part of a name that tells renditions of the same media type apart.
    package static let maximumVariantByteCount = 16

    /// The rendition that every player finds.
    package init(_ mediaType: MediaType) { (self.mediaType, name) = (mediaType, mediaType.rawValue) }

    /// A rendition beside the one that every player finds, which `variant` tells apart: lower-case letters and digits,
    /// at most ``maximumVariantByteCount``.
    package init(_ mediaType: MediaType, variant: String) {
        (self.mediaType, name) = (mediaType, "\(mediaType.rawValue)-\(variant)")
    }

    /// - Parameter name: the name of a rendition, which a stranger may have sent.
    /// - Returns: `nil` for a text that cannot be one.
    package init?(name: some StringProtocol) {
        // Nearly always, and asked for with every playlist.
        if let mediaType = MediaType(rawValue: String(name)) {
            self.init(mediaType)
            return
        }
        let parts = name.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let mediaType = MediaType(rawValue: String(parts[0])),
            (1...Self.maximumVariantByteCount).contains(parts[1].utf8.count),
            parts[1].utf8.allSatisfy({
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || (0x30...0x39).contains($0)
            })
        else { return nil }
        self.init(mediaType, variant: String(parts[1]))
    }

    /// Whether it is the one of its media type that every player finds.
    package var isMain: Bool { name == mediaType.rawValue }

    /// Whether it is the channel's video in a lower quality, which the server has made.
    package var isRung: Bool { mediaType == .video && !isMain }

    package var description: String { name }

    /// Video first, and before the others the one that every player finds.
    package static func < (first: RenditionID, second: RenditionID) -> Bool {
        if first.mediaType != second.mediaType { return first.mediaType == .video }
        return first.name < second.name
    }
}
