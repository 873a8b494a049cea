import MediaCore

/// The texts of an MP4 file's metadata list (QuickTime File Format, "Metadata") that have several values: libav has one
/// of them.
struct MovieTag {
    /// The values of each text that has several, by libav's key.
    private(set) var values: [String: [String]] = [:]

    /// Limit on the boxes of a level that are looked at; the movie box of a long fragmented file may be its last one.
    private static let maximumBoxCount = 10_000
    private static let beginnings = ["ftyp", "moov", "mdat", "wide", "free", "skip"]
    /// libav's keys by the types of items.
    private static let keys: [[UInt8]: String] = [
        [0xA9] + Array("ART".utf8): "artist", Array("aART".utf8): "album_artist",
        [0xA9] + Array("wrt".utf8): "composer",
        [0xA9] + Array("gen".utf8): "genre",
    ]

    /// Reads a file's list, as far as it is well-formed; `nil` if the file is not a movie, or has none.
    ///
    /// - Parameter file: The whole file.
    init?(in file: TagBytes) {
        guard let beginning = file.bytes(4, 4), Self.beginnings.contains(String(decoding: beginning, as: UTF8.self))
        else { return nil }
        var list = file
        for type in ["moov", "udta", "meta", "ilst"] {
            guard let box = Self.boxes(in: list).first(where: { $0.type.elementsEqual(type.utf8) }) else { return nil }
            list = box.content
            // QuickTime's `meta` has no version and flags before its boxes.
            if type == "meta", list.bytes(4, 4)?.elementsEqual("hdlr".utf8) == false {
                guard let boxes = list.part(4, list.byteCount) else { return nil }
                list = boxes
            }
        }
        for item in Self.boxes(in: list).prefix(SourceTags.maximumTextCount) {
            guard let key = Self.keys[item.type] else { continue }
            let data = Self.boxes(in: item.content).prefix(SourceTags.maximumTextCount)
            values[key, default: []] += data.compactMap { box in
                box.type.elementsEqual("data".utf8) ? Self.text(box.content) : nil
            }
        }
        values = values.filter { $0.value.count > 1 }
    }

    private typealias Box = (type: [UInt8], content: TagBytes)

    private static func boxes(in range: TagBytes) -> some Sequence<Box> {
        sequence(state: 0) { (offset: inout Int) -> Box? in
            guard let header = range.bytes(offset, 8) else { return nil }
            var (byteCount, headerByteCount) = (header[0..<4].bigEndian, 8)
            switch byteCount {
            // To the end of the file.
            case 0: byteCount = range.byteCount - offset
            case 1:
                guard let size = range.bytes(offset + 8, 8) else { return nil }
                (byteCount, headerByteCount) = (size.bigEndian, 16)
            default: break
            }
            guard byteCount >= headerByteCount, byteCount <= range.byteCount - offset,
                let content = range.part(offset + headerByteCount, byteCount - headerByteCount)
            else { return nil }
            offset += byteCount
            return (Array(header[4...]), content)
        }.prefix(maximumBoxCount)
    }

    /// The text of a value, which its kind and its locale precede.
    private static func text(_ data: TagBytes) -> String? {
        guard (8...SourceTags.maximumTextByteCount).contains(data.byteCount), let bytes = data.bytes(0, data.byteCount)
        else { return nil }
        let value = bytes.dropFirst(8)
        switch bytes[1..<4].bigEndian {
        case 1: return String(decoding: value, as: UTF8.self)
        case 2: return TextEncoding.utf16BigEndian.text(value)
        default: return nil
        }
    }
}
