package import APIContract

/// The fields of an entry of a webhook's log: a message and its attempts.
package struct WebhookDeliveryFields: ObjectFields {
    package static let name = "WebhookDelivery"
    package static let fields = WebhookDeliveryFields()

    package let id = Field<String>("id", "identifier of the delivery", .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let message = Field<String>(
        "message", "value of webhook-id, the same for all attempts and replays; empty for missed events",
        .example("msg_c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let event = Field<String?>("event", "ID of the event; null for a test", .example("812"))
    package let type = Field<String>(
        "type", "type of the event, or webhook.test, or webhook.missed", .example("channel.up"))
    package let resource = Field<String?>(
        "resource", "subject of the event; null for a test", .example("channel/canalA"))
    package let state = Field<String>(
        "state",
        "state: waits, was acknowledged, was given up, may not be read by the owner, or stands for missed events",
        .oneOf("pending", "delivered", "failed", "withheld", "missed"))
    package let attempts = Field<Int>("attempts", "number of attempts so far")
    package let status = Field<Int?>("status", "HTTP status of the last attempt; null without an answer")
    package let error = Field<String?>("error", "reason why the last attempt failed; null if it succeeded")
    package let milliseconds = Field<Int?>(
        "milliseconds", "duration of the last attempt in milliseconds; null before the first")
    package let missed = Field<Int?>(
        "missed", "greatest possible number of events that the journal has lost; null unless they were missed")
    package let createdAt = Field<APITime>("createdAt", "time at which the message was queued")
    package let lastAttemptAt = Field<APITime?>("lastAttemptAt", "time of the last attempt; null before the first")
    package let nextAttemptAt = Field<APITime?>(
        "nextAttemptAt",
        "time of the next attempt; null for none, or until an earlier message about the resource is done")
    package let replayOf = Field<String?>(
        "replayOf", "ID of the delivery that this one repeats; null for none", .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))

    package init() {}
}
