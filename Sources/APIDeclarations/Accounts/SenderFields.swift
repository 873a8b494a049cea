package import APIContract

/// The fields of the sender of a request.
package struct SenderFields: ObjectFields {
    package static let name = "Sender"
    package static let fields = SenderFields()

    package let username = Field<String?>(
        "username", "username of the sender; null for a sender without an account", .example("ana"))
    package let role = Field<String?>("role", "role of the account; null for a sender without one", .example("member"))
    package let permissions = Field<[String]?>(
        "permissions", "permissions to which a token is limited; null for a sender without a token")
    package let csrf = Field<String?>("csrf", "value of X-CSRF-Token for changes by cookie; null without a session")

    package init() {}
}
