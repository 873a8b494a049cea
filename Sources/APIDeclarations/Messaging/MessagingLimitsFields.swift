package import APIContract
import JSONDocument

/// The fields of the limits of contacts and messages.
package struct MessagingLimitsFields: ObjectFields {
    package static let name = "MessagingLimits"
    package static let fields = MessagingLimitsFields()

    package let messageLength = Field<Int>(
        "messageLength", "characters of a message", .example(.integer(20_000)))
    package let groupMembers = Field<Int>("groupMembers", "members of a group", .example(.integer(256)))
    package let messagesAMinute = Field<Int>(
        "messagesAMinute", "messages that a member sends in a minute", .example(.integer(60)))
    package let invitationsADay = Field<Int>(
        "invitationsADay", "invitations that a member sends in a day", .example(.integer(20)))

    package init() {}
}
