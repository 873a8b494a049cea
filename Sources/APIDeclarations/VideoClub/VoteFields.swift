package import APIContract

/// The fields of a vote for a title.
package struct VoteFields: ObjectFields {
    package static let name = "Vote"
    package static let isClosed = true
    package static let fields = VoteFields()

    package let rating = Field<Int>("rating", "rating; 10 is the best", .minimum(1), .maximum(10))

    package init() {}
}
