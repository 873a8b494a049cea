import Accounts
import Database
import Foundation
package import Logging
import LogMetadata
import MediaCore
package import WebPush

/// Tells browsers of notifications: encrypts, signs and sends what is due, a few messages at the same time, and tries
/// again what a push service has not taken.
package struct PushDispatcher: Sendable {
    private let notifications: Notifications
    private let sender: any PushSending
    private let text: any PushText
    private let key: PushServerKey
    private let contact: String
    private let logger: Logger
    private let receivers = PushReceivers()

    /// Number of attempts, which last about half an hour.
    static let maximumAttemptCount = 6
    static let schedule = RetrySchedule(first: .seconds(60), maximum: .seconds(32 * 60))
    /// Interval in which is looked for what is due while something is being sent.
    private static let interval = Duration.seconds(1)
    /// How long a push service keeps a message for a browser that is not connected.
    static let timeToLive = Duration.seconds(86_400)
    /// Limit of the sentence; the rest of a message is short.
    private static let maximumTextLength = 300

    /// - Parameters:
    ///   - notifications: what members are told.
    ///   - sender: sends requests.
    ///   - text: says what messages show.
    ///   - key: the key by which push services recognize this site.
    ///   - contact: the address of the site's operator, `mailto:` or `https:`.
    ///   - logger: receives what has become of messages; it never names an endpoint.
    package init(
        notifications: Notifications, sender: any PushSending, text: any PushText, key: PushServerKey,
        contact: String, logger: Logger
    ) {
        (self.notifications, self.sender, self.text) = (notifications, sender, text)
        (self.key, self.contact, self.logger) = (key, contact, logger)
    }

    private enum Event {
        case sent
        case time
    }

    /// Sends what is due, and what becomes due meanwhile. Each member has a queue of his own, and those whose browsers
    /// belong to slow push services share a few places (`PushReceivers`), so that nobody delays the others.
    ///
    /// - Throws: `SQLError`
    package func sendDue() async throws {
        try await withThrowingTaskGroup(of: Event.self) { group in
            defer { group.cancelAll() }
            var isTimed = false
            while !Task.isCancelled {
                // Asked before: a member who is done while the database answers may have more that is due.
                let wasIdle = receivers.isIdle
                let due = try await takeDue()
                for (receiver, pushes) in Dictionary(grouping: due, by: \.receiver) {
                    receivers.begin(receiver)
                    group.addTask {
                        defer { receivers.end(receiver) }
                        for push in pushes { try await send(push) }
                        return .sent
                    }
                }
                if due.isEmpty, wasIdle { return }
                if !isTimed {
                    isTimed = true
                    group.addTask {
                        try? await BeatClock().sleep(for: Self.interval)
                        return .time
                    }
                }
                if case .time = try await group.next() { isTimed = false }
            }
        }
    }

    private func takeDue() async throws -> [DuePush] {
        let (room, excluded) = receivers.room()
        guard room > 0 else { return [] }
        let now = notifications.now
        return try await notifications.database.write { db in
            try PushRows.take(
                at: now, limit: room, except: excluded, nextAttempt: { Self.schedule.delay(after: $0) }, db)
        }
    }

    private func send(_ push: DuePush) async throws {
        let now = notifications.now
        let owner = try await notifications.accounts.absentPrincipal(of: push.receiver)
        let isPrivate = owner.map(notifications.mayReachPrivateAddresses) ?? false
        let (found, subscriptions, preferences) = try await notifications.database.read { db in
            (
                try Notifications.filled(
                    try NotificationRows.notification(push.number, db).map { [$0] } ?? [], reader: push.receiver, db),
                try PushRows.subscriptions(of: push.receiver, at: now, db),
                try PreferenceRows.preferences(of: push.receiver, db)
            )
        }
        var isDone = true
        if let notification = found.first, !notification.items.isEmpty,
            preferences[notification.kind.group].contains(.push)
        {
            for subscription in subscriptions {
                guard let request = try? request(notification, subscription, mayReachPrivateAddresses: isPrivate) else {
                    continue
                }
                if !(try await isSettled(request, subscription, push.receiver)) { isDone = false }
            }
        }
        guard isDone || push.attempt >= Self.maximumAttemptCount else { return }
        if !isDone {
            logger.info("push message dropped after too many attempts", metadata: [.count: "\(push.attempt)"])
        }
        try await notifications.database.write { db in try PushRows.finish(push, db) }
    }

    /// - Returns: whether there is nothing more to do for a browser.
    private func isSettled(
        _ request: PushRequest, _ subscription: PushSubscription, _ user: UserID
    ) async throws -> Bool {
        switch await sender.send(request) {
        case .some(200..<300): return true
        // RFC 8030 §7.3: the browser does not want messages any more.
        case 404, 410:
            try await notifications.database.write { db in
                _ = try PushRows.delete(subscription.id, of: user, db)
            }
            return true
        case nil, 408, 425, 429, .some(500...): return false
        // The message is not what the push service wants, and would not be the next time.
        case .some(let status):
            logger.warning("push service refused the message", metadata: [.detail: "HTTP \(status)"])
            return true
        }
    }

    /// The request that tells a browser.
    ///
    /// - Parameters:
    ///   - notification: what the browser is told.
    ///   - subscription: the browser.
    ///   - mayReachPrivateAddresses: whether its address may be in the network of the server.
    func request(
        _ notification: MemberNotification, _ subscription: PushSubscription, mayReachPrivateAddresses: Bool
    ) throws -> PushRequest {
        guard let url = URL(string: subscription.endpoint), let scheme = url.scheme,
            let host = url.host(percentEncoded: true)
        else { throw PushError("the address of the push service is not valid") }
        let origin = "\(scheme)://\(host)\(url.port.map { ":\($0)" } ?? "")"
        let content = text.content(notification, language: subscription.language)
        let message = try JSONEncoder().encode(
            [
                "text": String(content.text.prefix(Self.maximumTextLength)), "path": content.path,
                "tag": notification.id.text,
            ])
        return PushRequest(
            endpoint: subscription.endpoint,
            fields: [
                .init(
                    name: "Authorization",
                    value: try key.authorization(for: origin, contact: contact, at: notifications.now)),
                .init(name: "TTL", value: "\(Self.timeToLive.components.seconds)"),
                .init(name: "Urgency", value: notification.kind.group == .aboutMe ? "normal" : "low"),
                // A message that has not been delivered yet is replaced by a later one about the same (RFC 8030 §5.4).
                .init(name: "Topic", value: String(notification.id.text.prefix(32))),
                .init(name: "Content-Type", value: "application/octet-stream"),
                .init(name: "Content-Encoding", value: "aes128gcm"),
            ], body: try PushContent.encrypted(Array(message), for: subscription.keys),
            mayReachPrivateAddresses: mayReachPrivateAddresses)
    }
}
