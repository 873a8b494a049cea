/// Makes text that a stranger chose fit for a log, a terminal or a page.
///
/// Control characters forge log lines and steer terminals; bidirectional format characters show text in another order
/// than it has; invisible ones make two names look alike. U+200C and U+200D stay inside words of scripts that need them
/// and inside emoji, and so do the tag characters of flags.
package enum UntrustedText {
    /// A log value or a cell of a table is a name, a reason or an address; longer ones are cut.
    package static let defaultMaximumCharacterCount = 1_000

    /// `text` with each dangerous character written out: `\n`, `\r`, `\t`, or `\u{1b}`.
    ///
    /// Ordinary text comes back unchanged, a backslash included. Text of more Unicode scalars than
    /// `maximumCharacterCount` is cut and ends in `…`.
    package static func escaped(
        _ text: String, maximumCharacterCount: Int = defaultMaximumCharacterCount
    ) -> String {
        rewritten(text, maximumCharacterCount: maximumCharacterCount, replacement: escape)
    }

    /// `text` with control characters as spaces and without the other dangerous characters, for pages, where an escape
    /// would be noise. Cut like ``escaped(_:maximumCharacterCount:)``.
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

    /// - Parameter before: the character in front; `nil` at the start and after a dangerous one.
    private static func isDangerous(_ scalar: Unicode.Scalar, after before: Unicode.Scalar?) -> Bool {
        switch scalar {
        case "\u{200C}", "\u{200D}":
            // Joiners have a meaning after letters of Indic and Arabic scripts and after emoji only.
            return (before?.value ?? 0) < 0x300
        case "\u{E0020}"..."\u{E007F}":
            // UTS #51: a flag is U+1F3F4 and tag characters.
            return before.map { $0 != "\u{1F3F4}" && !("\u{E0020}"..."\u{E007E}").contains($0) } ?? true
        default: break
        }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .format: return true
        // Not shown by anything, though they are letters or marks: Hangul fillers, U+034F.
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
