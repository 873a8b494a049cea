import Accounts
import Events
import HTTPEndpoints
import JSONDocument
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
    ) -> JSONText {
        var fields: [JSONText.Field] = [
            ("id", .string(receiver.id.text)), ("url", .string(receiver.url)),
            ("description", .string(receiver.summary)), ("owner", .optional(owner)),
            ("types", .array(receiver.filter.types.sorted().map(JSONText.string))),
            ("resource", .optional(receiver.filter.subject.map(text))), ("isEnabled", .boolean(receiver.isEnabled)),
            ("disabledReason", .optional(receiver.disabledReason?.rawValue)),
            ("failingSince", time(receiver.failingSince)), ("heldUntil", time(receiver.heldUntil)),
            ("createdAt", time(receiver.createdAt)), ("previousSecretEndsAt", time(receiver.previousSecretEndsAt)),
        ]
        if let pendingCount { fields.append(("pending", .integer(pendingCount))) }
        if let secret { fields.append(("secret", .string(secret.text))) }
        return .object(fields)
    }

    static func webhookDelivery(_ delivery: WebhookDelivery) -> JSONText {
        .object([
            ("id", .string(delivery.id.text)), ("message", .string(delivery.messageID)),
            ("event", .optional(delivery.event.map { String($0) })), ("type", .string(delivery.type)),
            ("resource", .optional(delivery.subject.map(text))), ("state", .string(delivery.state.rawValue)),
            ("attempts", .integer(delivery.attemptCount)), ("status", .optional(delivery.status)),
            ("error", .optional(delivery.error)),
            ("milliseconds", .optional(delivery.duration.map { Int($0.wholeMilliseconds) })),
            ("missed", .optional(delivery.missedCount.map { Int($0) })), ("createdAt", time(delivery.createdAt)),
            ("lastAttemptAt", time(delivery.attemptedAt)), ("nextAttemptAt", time(delivery.dueAt)),
            ("replayOf", .optional(delivery.replayOf?.text)),
        ])
    }

    private static func text(_ subject: EventSubject) -> String { "\(subject.kind.rawValue)/\(subject.name)" }
}
