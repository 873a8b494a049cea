import MediaCore
import NIOCore

/// Decodes a subtitle file's bytes. Such files do not declare their encoding.
enum SubtitleText {
    /// Decodes UTF-16 and UTF-8 with a byte order mark, else UTF-8 if it is valid, else the legacy encoding of the
    /// language.
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
