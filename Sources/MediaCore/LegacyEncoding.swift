/// Single-byte encodings that subtitles and tags used before Unicode. A file does not say which one it uses, so the
/// language of the text decides: byte 0xB9 is an `ą` in Polish only.
package enum LegacyEncoding: Sendable {
    /// Windows-1250.
    case centralEuropean
    /// Windows-1251.
    case cyrillic
    /// Windows-1253.
    case greek
    /// Windows-1254.
    case turkish
    /// Windows-1257.
    case baltic
    /// Windows-1252, in which every byte is a character.
    case western

    /// Selects the encoding that was usual for a language.
    ///
    /// - Parameter language: `nil` if it is not known. Serbian, which has two alphabets, is Cyrillic unless the tag's
    ///   script is Latin.
    package init(of language: LanguageTag?) {
        let subtags = language?.text.split(separator: "-").map { $0.lowercased() } ?? []
        switch subtags.first {
        case "sr" where subtags.contains("latn"): self = .centralEuropean
        case "cs", "sk", "pl", "hu", "sl", "hr", "bs", "sq", "ro": self = .centralEuropean
        case "ru", "uk", "be", "bg", "sr", "mk": self = .cyrillic
        case "el": self = .greek
        case "tr", "az": self = .turkish
        case "lt", "lv", "et": self = .baltic
        default: self = .western
        }
    }

    /// Selects the encoding for a POSIX locale.
    ///
    /// - Parameter locale: a name such as `pl_PL.UTF-8`, `sr_RS@latin` or `C`.
    package init(ofLocale locale: String) {
        let parts = locale.split(separator: "@", maxSplits: 1)
        let language = parts.first?.split(separator: ".").first.map(String.init) ?? ""
        let script = parts.dropFirst().first?.lowercased() == "latin" ? "-Latn" : ""
        self.init(of: LanguageTag(language.prefix { $0 != "_" } + script))
    }

    /// Decodes bytes as UTF-8 if they are valid UTF-8, otherwise in this encoding.
    package func text(_ bytes: some Collection<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self) ?? String(String.UnicodeScalarView(bytes.map(scalar)))
    }

    /// The character that a byte stands for; U+FFFD if the encoding does not assign the byte.
    package func scalar(of byte: UInt8) -> Unicode.Scalar {
        byte < 0x80 ? Unicode.Scalar(byte) : Self.upperHalves[self]?[Int(byte) - 0x80] ?? "\u{FFFD}"
    }

    /// Characters 0x80 to 0xFF (WHATWG Encoding §5.1.3, index files), sixteen per line.
    private static let upperHalves: [LegacyEncoding: [Unicode.Scalar]] = [
        .centralEuropean: scalars(
            """
            €\u{FFFD}‚\u{FFFD}„…†‡\u{FFFD}‰Š‹ŚŤŽŹ
            \u{FFFD}‘’“”•–—\u{FFFD}™š›śťžź
            \u{A0}ˇ˘Ł¤Ą¦§¨©Ş«¬\u{AD}®Ż
            °±˛ł´µ¶·¸ąş»Ľ˝ľż
            ŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎ
            ĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢß
            ŕáâăäĺćçčéęëěíîď
            đńňóôőö÷řůúűüýţ˙
            """),
        .cyrillic: scalars(
            """
            ЂЃ‚ѓ„…†‡€‰Љ‹ЊЌЋЏ
            ђ‘’“”•–—\u{FFFD}™љ›њќћџ
            \u{A0}ЎўЈ¤Ґ¦§Ё©Є«¬\u{AD}®Ї
            °±Ііґµ¶·ё№є»јЅѕї
            АБВГДЕЖЗИЙКЛМНОП
            РСТУФХЦЧШЩЪЫЬЭЮЯ
            абвгдежзийклмноп
            рстуфхцчшщъыьэюя
            """),
        .greek: scalars(
            """
            €\u{FFFD}‚ƒ„…†‡\u{FFFD}‰\u{FFFD}‹\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}
            \u{FFFD}‘’“”•–—\u{FFFD}™\u{FFFD}›\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}
            \u{A0}΅Ά£¤¥¦§¨©\u{FFFD}«¬\u{AD}®―
            °±²³΄µ¶·ΈΉΊ»Ό½ΎΏ
            ΐΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟ
            ΠΡ\u{FFFD}ΣΤΥΦΧΨΩΪΫάέήί
            ΰαβγδεζηθικλμνξο
            πρςστυφχψωϊϋόύώ\u{FFFD}
            """),
        .turkish: scalars(
            """
            €\u{FFFD}‚ƒ„…†‡ˆ‰Š‹Œ\u{FFFD}\u{FFFD}\u{FFFD}
            \u{FFFD}‘’“”•–—˜™š›œ\u{FFFD}\u{FFFD}Ÿ
            \u{A0}¡¢£¤¥¦§¨©ª«¬\u{AD}®¯
            °±²³´µ¶·¸¹º»¼½¾¿
            ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏ
            ĞÑÒÓÔÕÖ×ØÙÚÛÜİŞß
            àáâãäåæçèéêëìíîï
            ğñòóôõö÷øùúûüışÿ
            """),
        .baltic: scalars(
            """
            €\u{FFFD}‚\u{FFFD}„…†‡\u{FFFD}‰\u{FFFD}‹\u{FFFD}¨ˇ¸
            \u{FFFD}‘’“”•–—\u{FFFD}™\u{FFFD}›\u{FFFD}¯˛\u{FFFD}
            \u{A0}\u{FFFD}¢£¤\u{FFFD}¦§Ø©Ŗ«¬\u{AD}®Æ
            °±²³´µ¶·ø¹ŗ»¼½¾æ
            ĄĮĀĆÄÅĘĒČÉŹĖĢĶĪĻ
            ŠŃŅÓŌÕÖ×ŲŁŚŪÜŻŽß
            ąįāćäåęēčéźėģķīļ
            šńņóōõö÷ųłśūüżž˙
            """),
        .western: scalars(
            """
            €\u{FFFD}‚ƒ„…†‡ˆ‰Š‹Œ\u{FFFD}Ž\u{FFFD}
            \u{FFFD}‘’“”•–—˜™š›œ\u{FFFD}žŸ
            \u{A0}¡¢£¤¥¦§¨©ª«¬\u{AD}®¯
            °±²³´µ¶·¸¹º»¼½¾¿
            ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏ
            ÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞß
            àáâãäåæçèéêëìíîï
            ðñòóôõö÷øùúûüýþÿ
            """),
    ]

    private static func scalars(_ rows: String) -> [Unicode.Scalar] { rows.unicodeScalars.filter { $0 != "\n" } }
}
