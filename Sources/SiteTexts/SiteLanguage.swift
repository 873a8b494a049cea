/// A language of the site and of its mails. Each file of texts is one; the raw value is its tag (BCP 47), which is the
/// name of the file.
package struct SiteLanguage: RawRepresentable, Sendable, Hashable, CaseIterable, Decodable {
    package let rawValue: String

    /// - Parameter rawValue: a tag.
    /// - Returns: `nil` if the site does not speak the language.
    package init?(rawValue: String) {
        guard SiteTextFiles.shared.facts[rawValue] != nil else { return nil }
        self.rawValue = rawValue
    }

    fileprivate init(tag: String) { rawValue = tag }

    /// The language of the server's own reasons, logs and API; texts that another language lacks are shown in it.
    package static let english = SiteLanguage(tag: englishTag)

    /// The tag of ``english``, which the files need before there is a language.
    static let englishTag = "en"

    /// All languages, in the order of their tags.
    package static let allCases = SiteTextFiles.shared.facts.keys.sorted().map(SiteLanguage.init(tag:))

    /// Whether the program addresses people formally from now on, in languages that have texts for it.
    package static func setFormalAddress(_ isFormal: Bool) { SiteTextFiles.shared.isFormal = isFormal }

    /// The name of the language in itself.
    package var name: String { facts.name }
    /// The identifier of the locale by which dates are written, such as `en_GB`.
    package var locale: String { facts.locale }
    /// The sign between the whole part and the fraction of a number.
    package var decimalSeparator: String { facts.decimalSeparator }

    private var facts: SiteTextFiles.Facts { SiteTextFiles.shared.facts[rawValue] ?? SiteTextFiles.Facts() }

    private static let maximumByteCount = 500

    /// The language that a visitor prefers among those of the site (RFC 9110 §12.5.4, without wildcards); English if
    /// there is none.
    ///
    /// - Parameter acceptLanguage: the value of the field `Accept-Language`; `nil` if there is none.
    package static func preferred(_ acceptLanguage: String?) -> SiteLanguage {
        var best = (weight: 0.0, language: english)
        for entry in (acceptLanguage ?? "").prefix(maximumByteCount).split(separator: ",") {
            let parts = entry.split(separator: ";")
            let name = (parts.first ?? "").drop(while: \.isWhitespace).lowercased()
            let weight = parts.dropFirst().first.flatMap { $0.split(separator: "=").last }.flatMap { Double($0) } ?? 1
            guard weight > best.weight, weight.isFinite else { continue }
            let primary = name.split(whereSeparator: { $0 == "-" || $0.isWhitespace }).first.map(String.init) ?? ""
            if let language = SiteLanguage(rawValue: primary) { best = (weight, language) }
        }
        return best.language
    }
}
