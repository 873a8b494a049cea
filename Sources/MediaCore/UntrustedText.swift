/// Makes untrusted text safe for a log, a terminal or a page.
///
/// Control characters forge log lines and steer terminals; bidirectional format characters change the order in which
/// text is displayed; invisible characters make two names look alike. U+200C and U+200D are kept inside words of
/// scripts that need them and inside emoji, and so are the tag characters of flags.
package enum UntrustedText {
    /// Default length limit: enough for a name, a reason or an address in a log line or a table cell; longer text is
    /// cut.
    package static let defaultMaximumCharacterCount = 1_000

    /// `text` with each dangerous character escaped: `\n`, `\r`, `\t`, or `\u{1b}`.
    ///
    /// Ordinary text is returned unchanged, backslashes included. Text of more than `maximumCharacterCount` Unicode
    /// scalars is cut and ends in `…`.
    package static func escaped(
        _ text: String, maximumCharacterCount: Int = defaultMaximumCharacterCount
    ) -> String {
        rewritten(text, maximumCharacterCount: maximumCharacterCount, replacement: escape)
    }

    /// `text` with control characters replaced by spaces and other dangerous characters removed. Meant for pages,
    /// where an escape would be noise. Cut like ``escaped(_:maximumCharacterCount:)``.
    package static func stripped(
        _ text: String, maximumCharacterCount: Int = defaultMaximumCharacterCount
    ) -> String {
        rewritten(text, maximumCharacterCount: maximumCharacterCount) { scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: " "
            default: ""
            }
        }
    }

    /// ``stripped(_:maximumCharacterCount:)`` for names: each run of blanks is a space, and none is at the ends.
    package static func strippedName(_ text: String, maximumCharacterCount: Int) -> String {
        stripped(text, maximumCharacterCount: maximumCharacterCount)
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// ``stripped(_:maximumCharacterCount:)`` for text of several lines: each line by itself, with a line feed between
    /// two.
    ///
    /// - Parameters:
    ///   - text: the text, with line breaks of any kind.
    ///   - maximumCharacterCount: limit of each line in Unicode scalars.
    package static func strippedLines(_ text: String, maximumCharacterCount: Int) -> String {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map {
            stripped(String($0), maximumCharacterCount: maximumCharacterCount)
        }.joined(separator: "\n")
    }

    private static func rewritten(
        _ text: String, maximumCharacterCount: Int, replacement: (Unicode.Scalar) -> String
    ) -> String {
        if text.utf8.count <= maximumCharacterCount, text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) {
            return text
        }
        var result = ""
        var before: Unicode.Scalar?
        var count = 0
        for scalar in text.unicodeScalars {
            guard count < maximumCharacterCount else { return result + "…" }
            count += 1
            if isDangerous(scalar, after: before) {
                result += replacement(scalar)
                before = nil
            } else {
                result.unicodeScalars.append(scalar)
                before = scalar
            }
        }
        return result
    }

    /// - Parameter before: the preceding character; `nil` at the start and after a dangerous character.
    private static func isDangerous(_ scalar: Unicode.Scalar, after before: Unicode.Scalar?) -> Bool {
        switch scalar {
        case "\u{200C}", "\u{200D}":
            // Joiners only have a meaning after letters of Indic and Arabic scripts and after emoji.
            return (before?.value ?? 0) < 0x300
        case "\u{E0020}"..."\u{E007F}":
            // UTS #51: a flag is U+1F3F4 followed by tag characters.
            return before.map { $0 != "\u{1F3F4}" && !("\u{E0020}"..."\u{E007E}").contains($0) } ?? true
        default: break
        }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .format: return true
        // Never displayed, although they are letters or marks: Hangul fillers, U+034F.
        default: return scalar.properties.isDefaultIgnorableCodePoint && !scalar.properties.isVariationSelector
        }
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": #"\n"#
        case "\r": #"\r"#
        case "\t": #"\t"#
        default: #"\u{"# + String(scalar.value, radix: 16) + "}"
        }
    }
}
