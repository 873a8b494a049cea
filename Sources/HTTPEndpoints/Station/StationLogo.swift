/// The logo of the station, an image file of the operator.
package struct StationLogo: Sendable, Hashable {
    package let bytes: [UInt8]
    /// The media type, by the content.
    package let type: String

    /// Limit of the file; a logo is on every page.
    package static let maximumByteCount = 256 << 10

    /// - Parameter bytes: an SVG, PNG, JPEG or WebP image.
    /// - Returns: `nil` if it is too large, or none of these.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.maximumByteCount, let type = Self.type(of: bytes) else { return nil }
        (self.bytes, self.type) = (bytes, type)
    }

    /// Whether the image has no size of its own.
    package var isScalable: Bool { type == Self.svgType }

    /// The width of the image as a multiple of its height, from a quarter to five; one if the file does not tell.
    package var aspect: Double {
        let size = isScalable ? Self.sizeOfSVG(bytes) : Self.sizeOfPNG(bytes)
        guard let size, size.width > 0, size.height > 0 else { return 1 }
        return min(max(size.width / size.height, 0.25), 5)
    }

    /// The width and the height in the header chunk (Portable Network Graphics, third edition, §11.2.1).
    private static func sizeOfPNG(_ bytes: [UInt8]) -> (width: Double, height: Double)? {
        guard bytes.count >= 24, bytes[12..<16].elementsEqual("IHDR".utf8) else { return nil }
        func number(_ start: Int) -> Double {
            Double(bytes[start..<start + 4].reduce(0 as UInt32) { $0 << 8 | UInt32($1) })
        }
        return (number(16), number(20))
    }

    /// The last two numbers of the attribute `viewBox`.
    private static func sizeOfSVG(_ bytes: [UInt8]) -> (width: Double, height: Double)? {
        let head = String(decoding: bytes.prefix(headByteCount), as: UTF8.self)
        guard let name = head.firstRange(of: "viewBox"),
            let start = head[name.upperBound...].firstIndex(where: { $0 == "\"" || $0 == "'" })
        else { return nil }
        let box = head[head.index(after: start)...].prefix { $0 != head[start] }
        let numbers = box.split { $0.isWhitespace || $0 == "," }.compactMap { Double($0) }
        guard numbers.count == 4, numbers.allSatisfy(\.isFinite) else { return nil }
        return (numbers[2], numbers[3])
    }

    private static let svgType = "image/svg+xml"
    /// The part of a file in which the first element of an SVG image begins.
    private static let headByteCount = 4_096

    private static func type(of bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) { return "image/png" }
        if bytes.starts(with: [0xff, 0xd8, 0xff]) { return "image/jpeg" }
        if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) { return "image/webp" }
        let head = String(decoding: bytes.prefix(headByteCount), as: UTF8.self)
        return head.drop { $0.isWhitespace || $0 == "\u{feff}" }.hasPrefix("<") && head.contains("<svg") ? svgType : nil
    }
}
