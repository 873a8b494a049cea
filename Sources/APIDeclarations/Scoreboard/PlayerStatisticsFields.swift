package import APIContract

/// The fields of a player's statistics.
package struct PlayerStatisticsFields: ObjectFields {
    package static let name = "PlayerStatistics"
    package static let fields = PlayerStatisticsFields()

    package let player = Field<String>(
        "player", "identifier of the player", .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let fullName = Field<String>("name", "first and last name")
    package let against = Field<String?>("against", "identifier of the other player; null for all")
    package let againstName = Field<String?>("againstName", "first and last name of the other player; null for all")
    package let total = Field<APIObject<PlayerCountsFields>>("total", "counts of all matches")
    package let rules = Field<[APIObject<PlayerCountsFields>]>(
        "rules", "counts by rules, those with the most matches first")

    package init() {}
}
