package import APIContract
import JSONDocument

/// The fields of a mail with results.
package struct ResultMailFields: ObjectFields {
    package static let name = "ResultMail"
    package static let isClosed = true
    package static let fields = ResultMailFields()

    package let addresses = Field<[String]>(
        "addresses", "addresses of the recipients, each of whom gets a mail of their own", .minimumCount(1),
        .maximumCount(10), .example(.array([.string("club@example.org")])))
    package let ids = Field<[String]?>(
        "ids", "identifiers of the matches; all that the other fields choose if missing", .optional,
        .maximumCount(100))
    package let channel = Field<String?>("channel", "results of this channel", .optional)
    package let player = Field<String?>("player", "results of the player with this ID", .optional)
    package let competition = Field<String?>(
        "competition", "results of this competition", .optional, .maximumLength(120))
    package let from = Field<String?>(
        "from", "first day on which the matches ended, in UTC", .optional, .maximumLength(10),
        .example("2026-11-01"))
    package let until = Field<String?>(
        "until", "last day on which the matches ended, in UTC", .optional, .maximumLength(10),
        .example("2026-11-30"))

    package init() {}
}
