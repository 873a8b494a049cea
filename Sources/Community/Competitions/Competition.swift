package import Accounts
package import MediaCore

/// A competition of one or more days, such as a rally, to which members publish videos.
package struct Competition: Sendable, Hashable {
    package let id: OpaqueID
    /// A line.
    package var name: String
    package var description: String
    package var schedule: CompetitionSchedule
    /// A text that differs for different images; `nil` if it has none.
    package internal(set) var image: String?
    /// A text that differs for different maps; `nil` if it has none.
    package internal(set) var map: String?
    /// Rises with each change, also of standings, image and map.
    package internal(set) var revision: Int64
    package internal(set) var createdAt: WallClockTime
    package internal(set) var changedAt: WallClockTime
    /// The row number.
    var number: Int64
    /// The position in lists: the start by the rules of the time zone when it was last changed.
    var listedAt: WallClockTime

    /// Length limits in characters (Unicode scalars).
    package static let maximumNameLength = 200
    package static let maximumDescriptionLength = 10_000
    /// Limit of the competitions of a server.
    package static let maximumCount = 10_000

    package func state(at time: WallClockTime) -> CompetitionState { schedule.state(at: time) }

    /// - Throws: `Refusal` with `conflict` if the competition cannot be entered yet.
    func requireEntry(at time: WallClockTime) throws(Refusal) {
        guard state(at: time) == .closed else { return }
        throw Refusal(
            .conflict,
            "the competition cannot be entered yet; it opens on \(schedule.openingDay), a week before it begins",
            field: "competition")
    }

    /// Removes what could harm pages and feeds from the texts, and checks them.
    ///
    /// - Throws: `Refusal` with `emptyField` or `invalidField`.
    mutating func tidy() throws(Refusal) {
        name = UntrustedText.strippedName(name, maximumCharacterCount: Self.maximumNameLength + 1)
        guard !name.isEmpty else {
            throw Refusal(.emptyField, "a competition needs a name", field: "name")
        }
        guard name.unicodeScalars.count <= Self.maximumNameLength else {
            throw MemberText.tooLong("name", Self.maximumNameLength)
        }
        description = UntrustedText.strippedLines(
            description, maximumCharacterCount: Self.maximumDescriptionLength + 1)
        guard description.unicodeScalars.count <= Self.maximumDescriptionLength else {
            throw MemberText.tooLong("description", Self.maximumDescriptionLength)
        }
    }
}
