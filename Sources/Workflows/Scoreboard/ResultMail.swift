package import SiteTexts

/// A mail with a file of results.
package struct ResultMail: Sendable {
    package var subject: String
    /// The text, whose lines end in `\n`.
    package var text: String
    package var language: SiteLanguage
    /// The name of the station.
    package var senderName: String
    /// A PDF file.
    package var file: [UInt8]
}
