package import APIContract

/// The fields of a change of a webhook.
package struct WebhookChangeFields: ObjectFields {
    package static let name = "WebhookChange"
    package static let isClosed = true
    package static let fields = WebhookChangeFields()

    package let url = Field<WebhookURL?>(setting: WebhookFields.fields.url, .optional)
    package let description = Field<String?>(setting: WebhookFields.fields.description, .optional, .maximumLength(200))
    package let types = Field<[String]?>(
        setting: WebhookFields.fields.types, .optional, .maximumCount(32), .each(.maximumLength(100)))
    package let resource = Field<WebhookResource>(setting: WebhookFields.fields.resource, .optional)
    package let isEnabled = Field<Bool?>(setting: WebhookFields.fields.isEnabled, .optional)

    package init() {}
}
