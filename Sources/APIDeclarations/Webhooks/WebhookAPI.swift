package import APIContract
import MediaCore

/// The operations of the API for webhooks.
package enum WebhookAPI {
    package static let listWebhooks = APIOperation(
        .get, "/api/v1/webhooks", "listWebhooks",
        "Addresses that are sent events, newest first: the caller's own; all for administrators",
        parameters: [.cursor, .limit], answer: .page(of: WebhookFields.self, "Webhooks")
    )
    .refusing(.invalidCursor)

    package static let createWebhook = APIOperation(
        .post, "/api/v1/webhooks", "createWebhook", "Add an address that is sent what happens from now on",
        #"Each event is a POST with the header fields of Standard Webhooks and the body `{"type": …, "timestamp": …, "data": …}`, whose `data` is the event as /api/v1/events tells it. A webhook is sent what its owner may read; notification.created only as far as the owner's preferences of notifications say webhook. An answer from 200 to 299 acknowledges a message; any other is followed by further attempts for 24 hours."#,
        parameters: [.idempotencyKey], body: APIBody(.json(NewWebhookFields.self)),
        answer: .object(
            WebhookFields.self, "The webhook with its secret, which nobody can ask for again", status: 201,
            headers: [Field<String>("ETag")])
    )
    .refusing(.notFound, .tooMany, .missingFields, .keyOfAnotherRequest)
    .failing(with: APIProblem(409, .requestInProgress))

    package static let getWebhook = APIOperation(
        .get, "/api/v1/webhooks/{id}", "getWebhook", "A webhook, and the number of messages that wait for it",
        parameters: [.id], answer: .object(WebhookFields.self, "The webhook", headers: [Field<String>("ETag")]))

    package static let changeWebhook = APIOperation(
        .patch, "/api/v1/webhooks/{id}", "changeWebhook", "Change a webhook, or turn it off or on",
        "A webhook that is turned on again is sent what the journal still has since it was turned off. 428 without If-Match, 412 if somebody else has changed the webhook meanwhile.",
        parameters: [.id, .ifMatch], body: APIBody(.json(WebhookChangeFields.self)),
        answer: .object(WebhookFields.self, "The webhook", headers: [Field<String>("ETag")]))

    package static let deleteWebhook = APIOperation(
        .delete, "/api/v1/webhooks/{id}", "deleteWebhook", "Remove a webhook with its log", parameters: [.id],
        answer: .nothing("The webhook is gone; what waited for it is not sent"))

    package static let replaceWebhookSecret = APIOperation(
        .post, "/api/v1/webhooks/{id}/secret", "replaceWebhookSecret", "Replace the secret of a webhook",
        parameters: [.id, .idempotencyKey], body: APIBody(.json(SecretReplacementFields.self)),
        answer: .object(
            WebhookFields.self, "The webhook with its new secret, which nobody can ask for again", status: 201,
            headers: [Field<String>("ETag")])
    )
    .refusing(.keyOfAnotherRequest)
    .failing(with: APIProblem(409, .requestInProgress))

    package static let testWebhook = APIOperation(
        .post, "/api/v1/webhooks/{id}/test", "testWebhook", "Send a message of the type webhook.test now, once",
        parameters: [.id, .idempotencyKey],
        answer: .object(WebhookDeliveryFields.self, "What has come of it, within 15 seconds", status: 201)
    )
    .refusing(.keyOfAnotherRequest)
    .failing(with: APIProblem(400, .badRequest), APIProblem(409, .requestInProgress))

    package static let listWebhookDeliveries = APIOperation(
        .get, "/api/v1/webhooks/{id}/deliveries", "listWebhookDeliveries",
        "What a webhook was sent and what waits for it, newest first", "The log keeps 1,000 messages of 30 days.",
        parameters: [
            .id,
            .query(
                Field<String>(
                    "state", "state of the deliveries; all if missing", .optional,
                    .oneOf("pending", "delivered", "failed", "withheld", "missed"))),
            .cursor, .limit,
        ], answer: .page(of: WebhookDeliveryFields.self, "Deliveries")
    )
    .refusing(.invalidCursor)

    package static let replayWebhookDelivery = APIOperation(
        .post, "/api/v1/webhooks/{id}/deliveries/{delivery}/replay", "replayWebhookDelivery",
        "Send a message again, with the same webhook-id",
        parameters: [
            .id, .path(Field<String>("delivery", "identifier of the delivery", .minimumLength(1))), .idempotencyKey,
        ], answer: .object(WebhookDeliveryFields.self, "The new delivery", status: 201)
    )
    .refusing(.conflict, .tooMany, .keyOfAnotherRequest)
    .failing(with: APIProblem(400, .badRequest), APIProblem(409, .requestInProgress))
}
