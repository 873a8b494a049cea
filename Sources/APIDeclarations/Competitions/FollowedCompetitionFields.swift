package import APIContract

/// The fields of a competition that the sender follows.
package struct FollowedCompetitionFields: ObjectFields {
    package static let name = "FollowedCompetition"
    package static let base: (any ObjectFields.Type)? = CompetitionFields.self
    package static let fields = FollowedCompetitionFields()

    package let followedAt = Field<APITime>("followedAt", "time from which the sender follows the competition")

    package init() {}
}
