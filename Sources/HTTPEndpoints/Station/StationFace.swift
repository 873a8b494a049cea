import APIContract

/// The look of the station on its pages, which the operator chooses.
package struct StationFace: Sendable, Equatable {
    /// The name on pages and in mails.
    package var name = Product.name
    /// `nil` for the accent of the style sheet.
    package var accent: AccentColor?
    /// `nil` for the program's icon.
    package var logo: StationLogo?
    /// The text about the station, by the tag of its language.
    package var texts: [String: String] = [:]
    /// Whether people are addressed formally, in languages that have texts for it.
    package var isFormal = false
    /// The message that pages show instead of their content in maintenance; `nil` if the station is not.
    package var maintenance: String?
    /// The programmes of channels, by their names.
    package var guides: [String: ProgrammeGuide] = [:]

    package init() {}

    /// The text about the station for a reader of a language: in it, otherwise in English, otherwise in any language.
    package func text(_ language: String) -> String? {
        texts[language] ?? texts["en"] ?? texts.min { $0.key < $1.key }?.value
    }
}
