import CLibAV
package import LibAV

extension InputFile {
    /// True if the file has embedded cover art.
    package var hasCoverImage: Bool { streams.contains(where: \.isCoverImage) }

    /// Returns the first embedded image in a format that browsers display; `nil` if there is none.
    package func coverImage() -> CoverImage? {
        for info in streams where info.isCoverImage {
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
