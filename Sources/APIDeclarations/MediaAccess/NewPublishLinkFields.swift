package import APIContract

/// The fields of a new link with which one publisher pushes to a channel.
package struct NewPublishLinkFields: ObjectFields {
    package static let name = "NewPublishLink"
    package static let isClosed = true
    package static let fields = NewPublishLinkFields()

    package let name = Field<String?>(
        setting: PublishLinkFields.fields.name, "name of the link in the list; that of the channel if null or missing",
        .optional, .minimumLength(1), .maximumLength(100), .example("Camera at the stage"))
    package let expiresIn = Field<Int?>(
        "expiresIn", "life of the link in seconds; a day if null or missing", .optional, .minimum(1), .maximum(2678400))

    package init() {}
}
