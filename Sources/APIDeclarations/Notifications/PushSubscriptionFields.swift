package import APIContract

/// The fields of a browser that gets push messages.
package struct PushSubscriptionFields: ObjectFields {
    package static let name = "PushSubscription"
    package static let fields = PushSubscriptionFields()

    package let id = Field<String>("id", "identifier of the browser", .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let service = Field<String>("service", "host of the push service", .example("push.example.org"))
    package let language = Field<String>("language", "language of the messages", .example("es"))
    package let createdAt = Field<APITime>("createdAt", "time at which the browser was added")

    package init() {}
}
