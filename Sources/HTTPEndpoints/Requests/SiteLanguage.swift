/// A language of the site and of its mails; the raw value is its tag (BCP 47).
package enum SiteLanguage: String, Sendable, Hashable, CaseIterable {
    case english = "en"
    case spanish = "es"

    private static let maximumByteCount = 500

    /// Spanish if the visitor prefers it to English (RFC 9110 §12.5.4, without wildcards), otherwise English.
    ///
    /// - Parameter acceptLanguage: the value of the field `Accept-Language`; `nil` if there is none.
    package static func preferred(_ acceptLanguage: String?) -> SiteLanguage {
        var best = (weight: 0.0, language: english)
        for entry in (acceptLanguage ?? "").prefix(maximumByteCount).split(separator: ",") {
            let parts = entry.split(separator: ";")
            let name = (parts.first ?? "").drop(while: \.isWhitespace).lowercased()
            let weight = parts.dropFirst().first.flatMap { $0.split(separator: "=").last }.flatMap { Double($0) } ?? 1
            guard weight > best.weight, weight.isFinite else { continue }
            if let language = allCases.first(where: { name.hasPrefix($0.rawValue) }) { best = (weight, language) }
        }
        return best.language
    }
}
