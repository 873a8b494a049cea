import CLibAV

/// Embedded cover art.
package struct CoverImage: Sendable {
    /// Larger pictures are no covers; a page that lists them would suffer.
    package static let maximumByteCount = 16 << 20

    package var bytes: [UInt8]
    /// Without dot: `jpg`, `png`, `gif` or `webp`, told from the bytes.
    package var fileExtension: String
}

extension InputFile {
    package var hasAttachedPicture: Bool { streams.contains(where: \.isAttachedPicture) }

    /// The first embedded picture in a format that browsers show; `nil` where there is none.
    package func coverImage() -> CoverImage? {
        for info in streams where info.isAttachedPicture {
            let packet = stream(info).pointee.attached_pic
            guard let data = packet.data, (1...CoverImage.maximumByteCount).contains(Int(packet.size)) else { continue }
            let bytes = Array(UnsafeBufferPointer(start: data, count: Int(packet.size)))
            if let fileExtension = Self.imageExtension(bytes) {
                return CoverImage(bytes: bytes, fileExtension: fileExtension)
            }
        }
        return nil
    }

    private static func imageExtension(_ bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0xff, 0xd8, 0xff]) { return "jpg" }
        if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) { return "png" }
        if bytes.starts(with: "GIF8".utf8) { return "gif" }
        if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) { return "webp" }
        return nil
    }
}
