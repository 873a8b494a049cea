package import APIContract

/// The fields of a browser that is to get push messages.
package struct NewPushSubscriptionFields: ObjectFields {
    package static let name = "NewPushSubscription"
    package static let isClosed = true
    package static let fields = NewPushSubscriptionFields()

    package let endpoint = Field<String>(
        "endpoint", "address of the browser at the push service, beginning with https://", .minimumLength(1),
        .maximumLength(1000), .example("https://push.example.org/abc"))
    package let p256dh = Field<String>(
        "p256dh", "public key of the browser, in base64url", .minimumLength(1), .maximumLength(100))
    package let auth = Field<String>(
        "auth", "secret of the browser, in base64url", .minimumLength(1), .maximumLength(30))

    package init() {}
}
