package import APIContract

/// The fields of the votes for a title in a list.
package struct ListedTitleVotesFields: ObjectFields {
    package static let name = "ListedTitleVotes"
    package static let fields = ListedTitleVotesFields()

    package let count = Field<Int>("count", "number of votes", .minimum(0))
    package let average = Field<Double?>(
        "average", "average rating, with two decimals; null without votes", .minimum(1), .maximum(10))

    package init() {}
}
