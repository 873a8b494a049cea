/// The texts of some pages or mails, in one language: a section of the files of texts, whose keys are the properties of
/// the type.
package protocol SiteTextSection: Decodable, Sendable {
    /// The name of the section.
    static var section: String { get }
}

extension SiteTextSection {
    /// The texts in a language.
    package static func of(_ language: SiteLanguage) -> Self { SiteTextFiles.shared.section(Self.self, in: language) }

    /// The texts in the language that a visitor prefers.
    ///
    /// - Parameter acceptLanguage: the value of the field `Accept-Language`; `nil` if there is none.
    package static func preferred(_ acceptLanguage: String?) -> Self { of(.preferred(acceptLanguage)) }
}
