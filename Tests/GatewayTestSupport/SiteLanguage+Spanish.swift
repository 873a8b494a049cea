package import SiteTexts

extension SiteLanguage {
    package static let spanish = SiteLanguage(rawValue: "es") ?? english
}
