/// A name as a URL path component that people can read: lower-case ASCII letters, digits and hyphens.
package struct Slug: Sendable, Hashable, CustomStringConvertible {
    package let description: String

    /// Long enough to tell names apart, short enough for URLs.
    static let maximumByteCount = 64

    /// - Parameter name: anything; what has no letters or digits that can be written in ASCII becomes `fallback`.
    package init(_ name: String, fallback: String) {
        var result = ""
        for scalar in name.lowercased().unicodeScalars {
            if let plain = Self.plain(scalar) {
                result += plain
            } else if !result.isEmpty, !result.hasSuffix("-"), scalar.properties.generalCategory != .nonspacingMark {
                result += "-"
            }
            if result.utf8.count >= Self.maximumByteCount { break }
        }
        while result.hasSuffix("-") { result.removeLast() }
        description = result.isEmpty ? fallback : result
    }

    /// This slug, or with the first number behind it that is free.
    package func unique(among isTaken: (String) throws -> Bool) rethrows -> String {
        if try !isTaken(description) { return description }
        var number = 2
        while try isTaken("\(description)-\(number)") { number += 1 }
        return "\(description)-\(number)"
    }

    /// ASCII, and the letters of western and central European languages without their marks.
    private static func plain(_ scalar: Unicode.Scalar) -> String? {
        switch scalar {
        case "a"..."z", "0"..."9": return String(scalar)
        case "à"..."å", "ā", "ă", "ą": return "a"
        case "ç", "ć", "č": return "c"
        case "ď", "đ", "ð": return "d"
        case "è"..."ë", "ē", "ė", "ę", "ě": return "e"
        case "ğ": return "g"
        case "ì"..."ï", "ī", "į", "ı": return "i"
        case "ł", "ľ": return "l"
        case "ñ", "ń", "ň": return "n"
        case "ò"..."ö", "ø", "ō", "ő": return "o"
        case "ř": return "r"
        case "ś", "š", "ş", "ș": return "s"
        case "ť", "ţ", "ț": return "t"
        case "ù"..."ü", "ū", "ů", "ű": return "u"
        case "ý", "ÿ": return "y"
        case "ź", "ż", "ž": return "z"
        case "ß": return "ss"
        case "æ": return "ae"
        case "œ": return "oe"
        default: return nil
        }
    }
}
