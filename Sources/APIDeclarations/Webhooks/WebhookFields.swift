package import APIContract

/// The fields of a webhook: an address that is sent events.
package struct WebhookFields: ObjectFields {
    package static let name = "Webhook"
    package static let fields = WebhookFields()

    package let id = Field<String>("id", "identifier of the webhook", .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let url = Field<String>("url", "address that events are sent to", .example("https://example.org/antena"))
    package let description = Field<String>("description", "description for people; empty for none")
    package let owner = Field<String?>(
        "owner", "username of the owner; null for a webhook of the station", .example("ana"))
    package let types = Field<[String]>(
        "types", "types of events, such as channel.up, or groups, such as channel; empty for all")
    package let resource = Field<String?>(
        "resource", "subject to which the events are limited; null for all", .example("channel/canalA"))
    package let isEnabled = Field<Bool>("isEnabled", "whether events are sent")
    package let disabledReason = Field<String?>(
        "disabledReason",
        "requested; gone after the answer 410; failing after five days of failures; null if it is enabled",
        .example("failing"))
    package let failingSince = Field<APITime?>(
        "failingSince", "time of the first failure since the last success; null if the last attempt succeeded")
    package let heldUntil = Field<APITime?>(
        "heldUntil", "end of the pause that the receiver has asked for with Retry-After; null for none")
    package let createdAt = Field<APITime>("createdAt", "time of creation")
    package let previousSecretEndsAt = Field<APITime?>(
        "previousSecretEndsAt", "time until which messages are signed with the previous secret, too; null without one")
    package let pending = Field<Int>(
        "pending", "number of messages that wait; only in the answer for one webhook", .optional)
    package let secret = Field<String>(
        "secret", "secret that signs messages; only in the answer that makes it", .optional)

    package init() {}
}
