import Testing

@testable import MediaCore

struct ImageHeaderTests {
    private static func bytes(_ value: UInt32, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
    }

    private static func png(width: UInt32, height: UInt32) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8) + bytes(width, 4)
            + bytes(height, 4) + [8, 6, 0, 0, 0]
    }

    /// - Parameter before: the segments before the frame header.
    private static func jpeg(
        width: UInt32, height: UInt32, marker: UInt8 = 0xC0, before: [UInt8] = [0xFF, 0xE0, 0, 4, 1, 2]
    ) -> [UInt8] {
        [0xFF, 0xD8] + before + [0xFF, marker, 0, 17, 8] + bytes(height, 2) + bytes(width, 2) + [3]
    }

    @Test func aSizeIsReadFromWhereTheFormatHasIt() {
        let png = ImageHeader(parsing: Self.png(width: 16_000, height: 9_000))
        #expect(png?.format == .png && png?.size == ImageHeader.Size(width: 16_000, height: 9_000))
        for marker: UInt8 in [0xC0, 0xC1, 0xC2, 0xC3, 0xC9, 0xCF] {
            let jpeg = ImageHeader(parsing: Self.jpeg(width: 640, height: 360, marker: marker))
            #expect(jpeg?.format == .jpeg && jpeg?.size == ImageHeader.Size(width: 640, height: 360))
        }
        // Huffman tables, a restart marker and filling before the frame header.
        let before: [UInt8] = [0xFF, 0xC4, 0, 3, 0, 0xFF, 0xD0, 0xFF, 0xFF, 0xE1, 0, 2]
        #expect(ImageHeader(parsing: Self.jpeg(width: 8, height: 9, before: before))?.size?.pixelCount == 72)
    }

    @Test func declaredPixelsAreCountedWithoutOverflow() {
        let largest = ImageHeader(parsing: Self.png(width: .max, height: .max))
        #expect(largest?.size?.pixelCount == .max)
        #expect(ImageHeader(parsing: Self.png(width: 0, height: .max))?.size?.pixelCount == 0)
    }

    @Test func otherFilesAreNoImages() {
        for text in ["", "GIF89a", "RIFF....WEBPVP8 ", "<svg/>", "\0\0\0\u{18}ftypmp42", "BM", "P6\n1 1\n255\n"] {
            #expect(ImageHeader(parsing: Array(text.utf8)) == nil)
        }
    }

    @Test func damagedHeadersHaveNoSizeAndEnd() {
        let jpeg = Self.jpeg(width: 640, height: 360), png = Self.png(width: 640, height: 360)
        for count in 3..<(jpeg.count - 1) { #expect(ImageHeader(parsing: jpeg.prefix(count))?.size == nil) }
        for count in 8..<(png.count - 5) { #expect(ImageHeader(parsing: png.prefix(count))?.size == nil) }
        // A segment without length, one of length 0 again and again, and nothing but filling.
        for rest: [UInt8] in [
            [0xFF, 0xE0], [0xFF, 0xE0, 0, 0, 0xFF, 0xE0, 0, 0], [UInt8](repeating: 0xFF, count: 9_000),
        ] {
            let header = ImageHeader(parsing: [0xFF, 0xD8, 0xFF, 0xE0, 0, 2] + rest)
            #expect(header?.format == .jpeg && header?.size == nil)
        }
        let endless = [0xFF, 0xD8] + Array(repeating: [0xFF, 0xE0, 0, 2] as [UInt8], count: 10_000).joined()
        #expect(ImageHeader(parsing: endless)?.size == nil)
    }
}
