package import APIContract

/// The fields of the numbers for badges.
package struct MessagingBadgesFields: ObjectFields {
    package static let name = "MessagingBadges"
    package static let fields = MessagingBadgesFields()

    package let unread = Field<Int>(
        "unread", "conversations with unread messages that are not muted, counted up to 100", .minimum(0),
        .maximum(100))
    package let requests = Field<Int>(
        "requests", "first messages of strangers, counted up to 100", .minimum(0), .maximum(100))
    package let invitations = Field<Int>(
        "invitations", "invitations that wait for an answer, counted up to 100", .minimum(0), .maximum(100))

    package init() {}
}
