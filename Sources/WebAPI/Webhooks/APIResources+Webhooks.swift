import APIContract
import APIDeclarations
import Accounts
import Events
import HTTPEndpoints
import MediaCore
import Webhooks

extension APIResources {
    /// - Parameters:
    ///   - receiver: the receiver.
    ///   - owner: the username of its owner; `nil` for one of the station.
    ///   - pendingCount: the number of messages that wait; `nil` in lists.
    ///   - secret: a secret that was just made; it is in no other answer.
    static func webhook(
        _ receiver: WebhookReceiver, owner: String?, pendingCount: Int? = nil, secret: WebhookSecret? = nil
    ) -> APIObject<WebhookFields> {
        WebhookFields.object { fields in
            [
                fields.id(receiver.id.text), fields.url(receiver.url), fields.description(receiver.summary),
                fields.owner(owner), fields.types(receiver.filter.types.sorted()),
                fields.resource(receiver.filter.subject.map(text)), fields.isEnabled(receiver.isEnabled),
                fields.disabledReason(receiver.disabledReason?.rawValue),
                fields.failingSince(time(receiver.failingSince)), fields.heldUntil(time(receiver.heldUntil)),
                fields.createdAt(time(receiver.createdAt)),
                fields.previousSecretEndsAt(time(receiver.previousSecretEndsAt)),
                pendingCount.map { fields.pending($0) }, secret.map { fields.secret($0.text) },
            ]
        }
    }

    static func webhookDelivery(_ delivery: WebhookDelivery) -> APIObject<WebhookDeliveryFields> {
        WebhookDeliveryFields.object { fields in
            [
                fields.id(delivery.id.text), fields.message(delivery.messageID),
                fields.event(delivery.event.map { String($0) }), fields.type(delivery.type),
                fields.resource(delivery.subject.map(text)), fields.state(delivery.state.rawValue),
                fields.attempts(delivery.attemptCount), fields.status(delivery.status), fields.error(delivery.error),
                fields.milliseconds(delivery.duration.map { Int($0.wholeMilliseconds) }),
                fields.missed(delivery.missedCount.map { Int($0) }), fields.createdAt(time(delivery.createdAt)),
                fields.lastAttemptAt(time(delivery.attemptedAt)), fields.nextAttemptAt(time(delivery.dueAt)),
                fields.replayOf(delivery.replayOf?.text),
            ]
        }
    }

    private static func text(_ subject: EventSubject) -> String { "\(subject.kind.rawValue)/\(subject.name)" }
}
