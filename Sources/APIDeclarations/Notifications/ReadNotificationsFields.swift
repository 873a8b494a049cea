package import APIContract

/// The fields of a request that marks notifications as read; without any, all are marked.
package struct ReadNotificationsFields: ObjectFields {
    package static let name = "ReadNotifications"
    package static let isClosed = true
    package static let fields = ReadNotificationsFields()

    package let id = Field<String>(
        "id", "ID of the one notification to mark", .optional, .maximumLength(100),
        .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let through = Field<String>(
        "through", "ID of a notification to mark with all that changed before it; not together with `id`", .optional,
        .maximumLength(100), .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))

    package init() {}
}
