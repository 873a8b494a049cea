import Accounts
import Foundation
import HLSPlaylist
import JSONDocument
import MediaCore
import Synchronization

extension Webhooks {
    static func newMessageID() -> String { "msg_\(OpaqueID().text)" }

    /// The body of a message.
    ///
    /// - Parameters:
    ///   - type: the type of the event.
    ///   - happenedAt: the time in the format of ISO 8601.
    ///   - data: the event, in JSON.
    static func body(_ type: String, happenedAt: String, data: String) -> String {
        JSONText.object([("type", .string(type)), ("timestamp", .string(happenedAt)), ("data", .raw(data))]).rendered
    }

    static func timeText(_ time: WallClockTime) -> String {
        ProgramDateTime(millisecondsSince1970: time.millisecondsSince1970).description
    }

    /// Signs a message and sends it once.
    ///
    /// - Returns: what has come of it, and the message with the attempt; its state is left alone.
    func attempt(
        _ message: WebhookDelivery, to receiver: WebhookReceiver, secrets: SigningSecrets?
    ) async -> (WebhookOutcome, WebhookDelivery) {
        let begin = wallClock.now()
        let outcome: WebhookOutcome
        if let request = request(message, to: receiver, secrets: secrets, at: begin) {
            outcome = await sender.send(request)
        } else {
            outcome = .failed(reason: "the server's key has changed; rotate the secret of the webhook")
        }
        var message = message
        message.attemptCount += 1
        message.attemptedAt = begin
        message.duration = max(wallClock.now() - begin, .zero)
        switch outcome {
        case .answered(let status, _):
            (message.status, message.error) = (status, outcome.isSuccess ? nil : "HTTP \(status)")
        case .failed(let reason):
            message.status = nil
            message.error = UntrustedText.escaped(
                reason, maximumCharacterCount: WebhookDelivery.maximumErrorLength)
        }
        counters.withLock { counters in
            if outcome.isSuccess { counters.deliveredCount += 1 } else { counters.failedCount += 1 }
        }
        return (outcome, message)
    }

    /// - Returns: `nil` if the server has another key than the one that the secrets were encrypted with.
    private func request(
        _ message: WebhookDelivery, to receiver: WebhookReceiver, secrets: SigningSecrets?, at time: WallClockTime
    ) -> WebhookRequest? {
        let opened = (secrets?.valid(at: time) ?? []).map {
            SealedWebhookSecret.open($0, of: receiver.id, with: key)
        }
        guard opened.first.flatMap(\.self) != nil else { return nil }
        let timestamp = time.secondsSince1970
        let signatures = opened.compactMap(\.self).map {
            $0.signature(of: message.messageID, timestamp: timestamp, body: message.body)
        }
        return WebhookRequest(
            url: receiver.url,
            fields: [
                .init(name: "webhook-id", value: message.messageID),
                .init(name: "webhook-timestamp", value: String(timestamp)),
                .init(name: "webhook-signature", value: signatures.joined(separator: " ")),
            ], body: message.body)
    }
}
