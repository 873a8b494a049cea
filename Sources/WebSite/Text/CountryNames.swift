import Foundation
import Scoreboard
import SiteTexts

/// The names of countries in the languages of the site, as Foundation has them (Unicode CLDR).
enum CountryNames {
    /// The countries by name, as a person of the language sorts them.
    static func sorted(in language: SiteLanguage) -> [(code: String, name: String)] { lists[language] ?? [] }

    /// The name of a country; the code if there is none.
    static func name(of code: String, in language: SiteLanguage) -> String { names[language]?[code] ?? code }

    private static let lists: [SiteLanguage: [(code: String, name: String)]] = Dictionary(
        uniqueKeysWithValues: SiteLanguage.allCases.map { language in
            let locale = Locale(identifier: language.rawValue)
            let list = Countries.codes.map { (code: $0, name: locale.localizedString(forRegionCode: $0) ?? $0) }
            return (
                language,
                list.sorted { $0.name.compare($1.name, options: .caseInsensitive, locale: locale) == .orderedAscending }
            )
        })
    private static let names = lists.mapValues { list in
        Dictionary(list.map { ($0.code, $0.name) }, uniquingKeysWith: { first, _ in first })
    }
}
