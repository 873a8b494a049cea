package import APIContract

/// The fields of a member's vote for a title, in the export of the member's data.
package struct MemberVoteFields: ObjectFields {
    package static let name = "MemberVote"
    package static let fields = MemberVoteFields()

    package let title = Field<String>("title", "ID of the title", .example("film"))
    package let name = Field<String>("name", "name of the title", .example("Garden of life"))
    package let rating = Field<Int>("rating", "rating; 10 is the best", .minimum(1), .maximum(10))
    package let votedAt = Field<APITime>("votedAt", "time of the vote")

    package init() {}
}
