import MediaCore
import NIOCore

/// Decodes a subtitle file's bytes. Such files do not declare their encoding.
enum SubtitleText {
    /// Decodes UTF-16 and UTF-8, with a byte order mark or without, else the legacy encoding of the language.
    static func decode(_ bytes: ByteBufferView, language: LanguageTag? = nil) -> String {
        TextEncoding(of: bytes, fallback: LegacyEncoding(of: language)).text(bytes)
    }
}
