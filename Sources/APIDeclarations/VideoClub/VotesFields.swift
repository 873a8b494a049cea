package import APIContract

/// The fields of the votes for a title.
package struct VotesFields: ObjectFields {
    package static let name = "Votes"
    package static let fields = VotesFields()

    package let count = Field<Int>("count", "number of votes", .minimum(0))
    package let average = Field<Double?>(
        "average", "average rating, with two decimals; null without votes", .minimum(1), .maximum(10))
    package let own = Field<Int?>("own", "the sender's rating; null without a vote", .minimum(1), .maximum(10))

    package init() {}
}
