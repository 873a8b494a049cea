import NIOCore

/// Turns a subtitle file's bytes into text. Nothing in such a file says how it is encoded.
enum SubtitleText {
    /// UTF-16 and UTF-8 by their byte order marks, otherwise UTF-8 where it is valid, otherwise Windows-1252: the
    /// encoding of most subtitles in western languages that are not UTF-8, and one in which every byte is a character.
    static func decode(_ bytes: ByteBufferView) -> String {
        switch (bytes.first, bytes.dropFirst().first) {
        case (0xFF, 0xFE): return decodeUTF16(bytes.dropFirst(2), isBigEndian: false)
        case (0xFE, 0xFF): return decodeUTF16(bytes.dropFirst(2), isBigEndian: true)
        default: break
        }
        let rest = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes
        if let text = String(validating: rest, as: UTF8.self) { return text }
        return String(String.UnicodeScalarView(rest.map(windows1252)))
    }

    private static func decodeUTF16(_ bytes: ByteBufferView, isBigEndian: Bool) -> String {
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        var iterator = bytes.makeIterator()
        while let first = iterator.next(), let second = iterator.next() {
            let (high, low) = isBigEndian ? (first, second) : (second, first)
            units.append(UInt16(high) << 8 | UInt16(low))
        }
        return String(decoding: units, as: UTF16.self)
    }

    /// 0x80 to 0x9F of Windows-1252 (WHATWG Encoding §5.1.3); the rest is Latin-1.
    private static let windows1252Controls: [Unicode.Scalar] = [
        "€", "\u{81}", "‚", "ƒ", "„", "…", "†", "‡", "ˆ", "‰", "Š", "‹", "Œ", "\u{8D}", "Ž", "\u{8F}", "\u{90}", "‘",
        "’",
        "“", "”", "•", "–", "—", "˜", "™", "š", "›", "œ", "\u{9D}", "ž", "Ÿ",
    ]

    private static func windows1252(_ byte: UInt8) -> Unicode.Scalar {
        (0x80...0x9F).contains(byte) ? windows1252Controls[Int(byte) - 0x80] : Unicode.Scalar(byte)
    }
}
