package import APIContract

/// The fields of a message of a conversation.
package struct MessageFields: ObjectFields {
    package static let name = "Message"
    package static let fields = MessageFields()

    package let conversation = Field<String>(
        "conversation", "ID of the conversation", .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let sequence = Field<Int>(
        "sequence", "position in the conversation; the same for all its members", .minimum(1))
    package let change = Field<Int>(
        "change", "number of the conversation's change that has made the message what it is", .minimum(1))
    package let id = Field<String>(
        "id", "ID that the client of the message's sender has made", .example("5f0c2b1e-8a4d"))
    package let from = Field<APIObject<NamedMemberFields>?>("from", "sender; null for a deleted account")
    package let kind = Field<String>(
        "kind", "kind of the message; the last five tell what has happened in a group",
        .oneOf("text", "place", "contact", "created", "added", "removed", "left", "renamed"))
    package let text = Field<String>(
        "text", "text, name of the place, or new name of the group; empty after it was deleted",
        .example("See you at eight"))
    package let about = Field<APIObject<NamedMemberFields>?>(
        "about", "contact that is sent, or member who was added or removed; null for none")
    package let latitude = Field<Double?>(
        "latitude", "latitude of a place in degrees; null for none", .minimum(-90), .maximum(90))
    package let longitude = Field<Double?>(
        "longitude", "longitude of a place in degrees; null for none", .minimum(-180), .maximum(180))
    package let sentAt = Field<APITime>("sentAt", "time at which it was stored")
    package let deleted = Field<Bool>("deleted", "whether its sender has deleted it for everybody")

    package init() {}
}
