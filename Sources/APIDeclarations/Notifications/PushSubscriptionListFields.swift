package import APIContract
package import JSONDocument

/// The fields of the list of the sender's browsers that get push messages.
package struct PushSubscriptionListFields: ObjectFields {
    package static let name = "PushSubscriptionList"
    package static let fields = PushSubscriptionListFields()

    package let publicKey = Field<String>("publicKey", "key with which a browser subscribes (RFC 8292), in base64url")
    package let items = Field<[APIObject<PushSubscriptionFields>]>("items", "browsers, newest first", .maximumCount(20))
    package let next = Field<JSONText>("next", "always null, because there is one page", .schema(.type("null")))

    package init() {}
}
