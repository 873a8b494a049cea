/// The type and size in the header of a JPEG or PNG file. Nothing is decoded.
package struct ImageHeader: Sendable, Equatable {
    /// The formats that Antena takes from people.
    package enum Format: Sendable, Equatable {
        case jpeg
        case png
    }

    /// Width and height.
    package struct Size: Sendable, Equatable {
        /// In pixels.
        package var width: Int
        /// In pixels.
        package var height: Int

        package init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

        /// `Int.max` if there are more: a file may declare 2³² pixels each way.
        package var pixelCount: Int {
            let (count, overflows) = width.multipliedReportingOverflow(by: height)
            return overflows ? .max : count
        }
    }

    package var format: Format
    /// `nil` if the file does not say it where it should.
    package var size: Size?

    /// The largest image that is decoded, in pixels: a photograph of 40 megapixels. A small file may declare many more,
    /// and takes memory and time for all of them.
    package static let maximumPixelCount = 40_000_000

    /// - Parameter bytes: the file, or enough of its beginning.
    /// - Returns: `nil` if it is neither a JPEG nor a PNG file.
    package init?(parsing bytes: some RandomAccessCollection<UInt8>) {
        if bytes.starts(with: Self.jpegBeginning) {
            format = .jpeg
            size = Self.sizeOfJPEG(bytes)
        } else if bytes.starts(with: Self.pngBeginning) {
            format = .png
            size = Self.sizeOfPNG(bytes)
        } else {
            return nil
        }
    }

    /// SOI, and the first byte of the next marker (ITU-T T.81 §B.1.1).
    private static let jpegBeginning: [UInt8] = [0xFF, 0xD8, 0xFF]
    /// The signature (ISO/IEC 15948 §5.2).
    private static let pngBeginning: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    /// Offset of the width and the height in the IHDR chunk, after its type (ISO/IEC 15948 §11.2.2).
    private static let pngSizeOffset = 16
    /// Limit on the segments before a frame header: metadata of cameras come in a few dozen.
    private static let maximumSegmentCount = 4_096

    private static func sizeOfPNG(_ bytes: some RandomAccessCollection<UInt8>) -> Size? {
        let header = bytes.dropFirst(pngSizeOffset - 4).prefix(12)
        guard header.count == 12, header.starts(with: Array("IHDR".utf8)) else { return nil }
        let sides = header.dropFirst(4)
        return Size(width: number(sides.prefix(4)), height: number(sides.dropFirst(4)))
    }

    /// The size in the frame header (ITU-T T.81 §B.2.2). SOF0 to SOF15 are frame headers, except for DHT (C4), JPG (C8)
    /// and DAC (CC).
    private static func sizeOfJPEG(_ bytes: some RandomAccessCollection<UInt8>) -> Size? {
        var rest = bytes.dropFirst(2)
        for _ in 0..<maximumSegmentCount {
            guard rest.first == 0xFF else { return nil }
            rest = rest.drop { $0 == 0xFF }
            guard let marker = rest.popFirst() else { return nil }
            switch marker {
            case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(marker):
                // Length, precision, height, width.
                let sides = rest.dropFirst(3).prefix(4)
                guard sides.count == 4 else { return nil }
                return Size(width: number(sides.dropFirst(2)), height: number(sides.prefix(2)))
            case 0x01, 0xD0...0xD7: continue
            case 0xD8, 0xD9, 0xDA, 0x00: return nil
            default:
                let length = number(rest.prefix(2))
                guard length >= 2 else { return nil }
                rest = rest.dropFirst(length)
            }
        }
        return nil
    }

    private static func number(_ bytes: some Sequence<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
