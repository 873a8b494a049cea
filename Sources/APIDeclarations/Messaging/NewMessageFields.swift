package import APIContract

/// The fields of a new message.
package struct NewMessageFields: ObjectFields {
    package static let name = "NewMessage"
    package static let isClosed = true
    package static let fields = NewMessageFields()

    package let id = Field<String>(
        "id", "ID that the client makes, such as a UUID: the same message is stored once, however often it is sent",
        .minimumLength(1), .maximumLength(64), .pattern("^[!-.0-~]+$"), .example("5f0c2b1e-8a4d"))
    package let text = Field<String>(
        "text", "text of the message, or name of the place", .optional, .maximumLength(20_000),
        .example("See you at eight"))
    package let latitude = Field<Double>(
        "latitude", "latitude of a place in degrees, together with `longitude`", .optional, .minimum(-90),
        .maximum(90))
    package let longitude = Field<Double>(
        "longitude", "longitude of a place in degrees", .optional, .minimum(-180), .maximum(180))
    package let contact = Field<String>(
        "contact", "username of a contact of the sender, which is sent instead of a text", .optional,
        .maximumLength(100), .example("leo"))

    package init() {}
}
