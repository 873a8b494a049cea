package import Accounts
package import MediaCore

/// A player, as the station knows them.
package struct ScorePlayer: Sendable, Hashable {
    package enum Gender: String, Sendable, Hashable, CaseIterable {
        case female, male, other
    }

    package let id: OpaqueID
    package var firstName: String
    package var lastName: String
    package var gender: Gender
    /// The code of a country (ISO 3166-1 alpha-2), such as `ES`.
    package var country: String
    package var birthDate: CivilDate
    /// A line below the name, such as a club; empty for none.
    package var extra: String
    /// The version of the photo; `nil` for none.
    package internal(set) var photo: String?
    package internal(set) var createdAt: WallClockTime
    /// Rises with each change.
    package internal(set) var revision: Int64

    /// Length limits in characters (Unicode scalars).
    package static let maximumNameLength = 60
    package static let maximumExtraLength = 120
    /// Limit of the players of a station.
    package static let maximumCount = 20_000

    package var fullName: String { "\(firstName) \(lastName)" }

    /// The age in whole years on a day.
    package static func age(bornOn birthDate: CivilDate, on day: CivilDate) -> Int64 {
        let isBefore = (day.month, day.day) < (birthDate.month, birthDate.day)
        return day.year - birthDate.year - (isBefore ? 1 : 0)
    }

    /// Removes what could harm pages from the texts, and checks them.
    ///
    /// - Throws: `Refusal` with `missingFields` or `invalidField`.
    mutating func tidy(today: CivilDate) throws(Refusal) {
        firstName = UntrustedText.strippedName(firstName, maximumCharacterCount: Self.maximumNameLength + 1)
        lastName = UntrustedText.strippedName(lastName, maximumCharacterCount: Self.maximumNameLength + 1)
        extra = UntrustedText.strippedName(extra, maximumCharacterCount: Self.maximumExtraLength + 1)
        country = country.uppercased()
        let missing = [("firstName", firstName), ("lastName", lastName), ("country", country)].filter(\.1.isEmpty)
        guard missing.isEmpty else {
            throw Refusal.missing(missing.map(\.0))
        }
        for (field, text, limit) in [
            ("firstName", firstName, Self.maximumNameLength), ("lastName", lastName, Self.maximumNameLength),
            ("extra", extra, Self.maximumExtraLength),
        ] where text.unicodeScalars.count > limit {
            throw Refusal(.invalidField, "the field `\(field)` is limited to \(limit) characters", fields: [field])
        }
        guard Countries.codes.contains(country) else {
            throw Refusal(
                .invalidField, "the field `country` must be a code of ISO 3166-1 with two letters, such as ES",
                fields: ["country"])
        }
        guard birthDate.year >= 1900, birthDate.daysSince1970 <= today.daysSince1970 else {
            throw Refusal(
                .invalidField, "the field `birthDate` must be a day from 1900 to today", fields: ["birthDate"])
        }
    }
}
