import MediaCore

/// Finds the tiles of a frame of AV1, which sample encryption covers: headers of OBUs, frame headers and the sizes of
/// tiles stay in the clear, and so do the bytes before a tile's last whole blocks (AV1 Codec ISO Media File Format
/// Binding §4.3).
struct AV1TileFinder: Sendable {
    private var headers: AV1FrameHeaderParser
    /// The tiles of the frame whose header has been read, until all of them are there.
    private var open: AV1TileLayout?

    init(_ configuration: AV1Configuration) { headers = AV1FrameHeaderParser(configuration.sequenceHeader) }

    /// An OBU of a temporal unit.
    private struct Unit {
        var type: UInt8
        var layer: AV1Layer
        var payload: Range<Int>
    }

    /// Finds the tiles of a temporal unit.
    ///
    /// - Parameter sample: the OBUs as stored in MP4; the last one may be without its size.
    /// - Returns: the whole blocks at the end of each tile, in ascending order.
    /// - Throws: ``CodecError`` if a header cannot be read.
    mutating func tiles(in sample: UnsafeRawBufferPointer) throws(CodecError) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var offset = 0
        open = nil
        while offset < sample.count {
            let unit = try Self.unit(at: offset, of: sample)
            offset = unit.payload.upperBound
            switch unit.type {
            case AV1OBUType.sequenceHeader: try learn(sample, unit)
            case AV1OBUType.frameHeader where open == nil: open = try header(sample, unit)?.tiles
            case AV1OBUType.frame:
                guard let header = try header(sample, unit) else {
                    throw Self.invalid("a frame without tiles")
                }
                open = header.tiles
                let start = unit.payload.lowerBound + header.byteCount
                ranges += try tileGroup(sample, start..<max(start, unit.payload.upperBound))
            case AV1OBUType.tileGroup: ranges += try tileGroup(sample, unit.payload)
            case AV1OBUType.tileList: throw Self.invalid("a list of tiles")
            default: break
            }
        }
        return ranges
    }

    private mutating func learn(_ sample: UnsafeRawBufferPointer, _ unit: Unit) throws(CodecError) {
        // Longer ones are refused by the header itself.
        let byteCount = min(unit.payload.count, AV1SequenceHeader.maximumByteCount + 1)
        let bytes = Array(sample[unit.payload.lowerBound..<unit.payload.lowerBound + byteCount])
        headers.learn(try AV1SequenceHeader(parsingPayload: bytes))
    }

    private mutating func header(
        _ sample: UnsafeRawBufferPointer, _ unit: Unit
    ) throws(CodecError) -> AV1FrameHeaderParser.Header? {
        let byteCount = min(unit.payload.count, SliceDataFinder.maximumHeaderByteCount)
        let bytes = Array(sample[unit.payload.lowerBound..<unit.payload.lowerBound + byteCount])
        return try headers.header(bytes, layer: unit.layer)
    }

    /// Reads the structure of tile_group_obu (AV1 bitstream specification §5.11.1).
    private mutating func tileGroup(
        _ sample: UnsafeRawBufferPointer, _ bytes: Range<Int>
    ) throws(CodecError) -> [Range<Int>] {
        guard let layout = open, bytes.upperBound <= sample.count else {
            throw Self.invalid("tiles without the header of a frame")
        }
        let beginning = Array(sample[bytes.prefix(Self.maximumNumbersByteCount)])
        var numbers = 0...layout.count - 1
        var position = bytes.lowerBound
        if layout.count > 1 {
            do {
                var reader = BitReader(beginning)
                if try reader.readBit() {
                    let first = Int(try reader.readBits(layout.numberBitCount))
                    let last = Int(try reader.readBits(layout.numberBitCount))
                    guard first <= last, last < layout.count else { throw Self.invalid("tiles in the wrong order") }
                    numbers = first...last
                }
                position += (reader.bitPosition + 7) / 8
            } catch let error as CodecError {
                throw error
            } catch {
                throw Self.invalid("a group of tiles that ends too early")
            }
        }
        var ranges: [Range<Int>] = []
        for number in numbers {
            var byteCount = bytes.upperBound - position
            if number < numbers.upperBound {
                guard byteCount >= layout.sizeByteCount else { throw Self.invalid("a tile that ends too early") }
                var size = 0
                for index in 0..<layout.sizeByteCount { size |= Int(sample[position + index]) << (8 * index) }
                position += layout.sizeByteCount
                guard size < bytes.upperBound - position else { throw Self.invalid("a tile that ends too early") }
                byteCount = size + 1
            }
            position += byteCount
            ranges.append(position - byteCount & ~(Self.blockByteCount - 1)..<position)
        }
        if numbers.upperBound == layout.count - 1 { open = nil }
        return ranges
    }

    /// Size of the flag and the two numbers at the beginning of a group of tiles.
    private static let maximumNumbersByteCount = 8
    /// Size of AES's blocks.
    private static let blockByteCount = 16

    private static func invalid(_ what: String) -> CodecError {
        CodecError(.invalid, in: SliceDataFinder.structure, "has \(what)")
    }

    private static func unit(at start: Int, of sample: UnsafeRawBufferPointer) throws(CodecError) -> Unit {
        var offset = start
        func readByte() throws(CodecError) -> UInt8 {
            guard offset < sample.count else { throw invalid("an OBU that ends too early") }
            defer { offset += 1 }
            return sample[offset]
        }
        let header = try readByte()
        var layer = AV1Layer()
        if header & 4 != 0 {
            let numbers = try readByte()
            layer = AV1Layer(temporal: numbers >> 5, spatial: numbers >> 3 & 3)
        }
        var byteCount = sample.count - offset
        if header & 2 != 0 {
            byteCount = 0
            var shift = 0
            repeat {
                let byte = try readByte()
                guard shift < 28 else { throw invalid("an OBU with a size of more than four bytes") }
                byteCount |= Int(byte & 0x7F) << shift
                guard byte & 0x80 != 0 else { break }
                shift += 7
            } while true
        }
        guard byteCount <= sample.count - offset else { throw invalid("an OBU that goes on after it") }
        return Unit(
            type: AV1OBUType.type(headerByte: header), layer: layer, payload: offset..<offset + byteCount)
    }
}
