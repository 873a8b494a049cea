import MediaCore
import NIOCore

/// Turns a subtitle file's bytes into text. Nothing in such a file says how it is encoded.
enum SubtitleText {
    /// UTF-16 and UTF-8 by their byte order marks, otherwise UTF-8 where it is valid, otherwise the encoding in which its
    /// language was written before.
    static func decode(_ bytes: ByteBufferView, language: LanguageTag? = nil) -> String {
        switch (bytes.first, bytes.dropFirst().first) {
        case (0xFF, 0xFE): return decodeUTF16(bytes.dropFirst(2), isBigEndian: false)
        case (0xFE, 0xFF): return decodeUTF16(bytes.dropFirst(2), isBigEndian: true)
        default: break
        }
        let rest = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes
        return LegacyEncoding(of: language).text(rest)
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
}
