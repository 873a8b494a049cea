package import APIContract

/// The fields of a new webhook.
package struct NewWebhookFields: ObjectFields {
    package static let name = "NewWebhook"
    package static let isClosed = true
    package static let fields = NewWebhookFields()

    package let url = Field<WebhookURL>(setting: WebhookFields.fields.url)
    package let description = Field<String?>(setting: WebhookFields.fields.description, .optional, .maximumLength(200))
    package let types = Field<[String]?>(
        setting: WebhookFields.fields.types, .optional, .maximumCount(32), .each(.maximumLength(100)))
    package let resource = Field<WebhookResource>(setting: WebhookFields.fields.resource, .optional)
    package let user = Field<String?>(
        "user", "username or e-mail address of the owner, for administrators; the sender if null or missing", .optional,
        .maximumLength(320), .example("ana"))

    package init() {}
}
