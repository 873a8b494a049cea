import APIContract
import APIDeclarations
import Accounts
package import HTTPEndpoints
import HTTPTypes
import Hummingbird
import JSONDocument
import MediaCore
import NIOCore
package import Notifications
import SiteTexts
import Workflows

/// A member's notifications: `/api/v1/me/notifications`, its preferences, and its changes as server-sent events.
package struct NotificationEndpoints: Sendable {
    let notifications: Notifications
    /// Finds out again and again whether a device that waits may still do so.
    private let authority: RequestAuthority
    /// The public key for browsers that want push messages; `nil` for a server that sends none.
    private let pushKey: String?

    /// - Parameters:
    ///   - notifications: what members are told.
    ///   - authority: finds out whose device waits.
    ///   - pushKey: the public key for browsers that want push messages; `nil` for a server that sends none.
    package init(notifications: Notifications, authority: RequestAuthority, pushKey: String? = nil) {
        (self.notifications, self.authority, self.pushKey) = (notifications, authority, pushKey)
    }

    private static let own = AccessRule.member(.read, reason: "what the caller is told")
    private static let changing = AccessRule.member(.manage, reason: "what the caller is told")

    package var endpoints: [Endpoint] {
        [
            Endpoint(NotificationAPI.listNotifications, Self.own, handler: list),
            Endpoint(NotificationAPI.markNotificationsRead, Self.changing, handler: markRead),
            Endpoint(NotificationAPI.getNotificationPreferences, Self.own) { _, caller in
                let (notifications, user) = try required(caller)
                return APIResources.preferences(try await notifications.preferences(of: user)).response()
            },
            Endpoint(NotificationAPI.setNotificationPreferences, Self.changing) { request, caller in
                try await changePreferences(request, caller, isWhole: true)
            },
            Endpoint(NotificationAPI.changeNotificationPreferences, Self.changing) { request, caller in
                try await changePreferences(request, caller, isWhole: false)
            },
            Endpoint(NotificationAPI.streamNotifications, Self.own, handler: listen),
        ] + PushEndpoints(notifications: notifications, publicKey: pushKey).endpoints
    }

    private func required(_ caller: GatewayRequestContext) throws -> (Notifications, UserID) {
        (notifications, try caller.caller.requireMember().id)
    }

    private func list(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let (notifications, user) = try required(caller)
        let wanted = try PageRequest(request)
        let (page, unread) = try await notifications.notifications(
            of: user, after: wanted.cursor, limit: wanted.limit)
        return NotificationListFields.object {
            [
                $0.items(page.items.map(APIResources.notification)), $0.next(NextCursor(page.next)),
                $0.unread(UnreadCount(unread)),
            ]
        }.response()
    }

    private func markRead(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let body = try await BodyFields(request, ReadNotificationsFields.self)
        let (notifications, user) = try required(caller)
        switch (try Self.identifier(\.id, body), try Self.identifier(\.through, body)) {
        case (nil, nil): try await notifications.markAllRead(of: user)
        case (let id?, nil): try await notifications.markRead(id, of: user)
        case (nil, let id?): try await notifications.markRead(through: id, of: user)
        case (_?, _?): throw ProblemDetails(.unprocessableContent, "\"id\" and \"through\" cannot be combined")
        }
        let unread = try await notifications.unreadCount(of: user)
        return UnreadNotificationsFields.object { [$0.unread(UnreadCount(unread))] }.response()
    }

    private static func identifier(
        _ field: KeyPath<ReadNotificationsFields, Field<String>>, _ body: BodyFields<ReadNotificationsFields>
    ) throws -> OpaqueID? {
        // Null is not a missing name: a program that has lost it must not mark everything as read.
        guard body.has(field) else { return nil }
        guard let id = OpaqueID(parsing: try body.required(field)) else {
            throw Refusal(.notFound, "you have no such notification")
        }
        return id
    }

    // MARK: Preferences

    private func changePreferences(
        _ request: Request, _ caller: GatewayRequestContext, isWhole: Bool
    ) async throws -> Response {
        // A body that sets all of them has the same fields.
        let body = try await BodyFields(request, NotificationPreferencesChangeFields.self)
        let (notifications, user) = try required(caller)
        var chosen: [NotificationGroup: NotificationChannels] = [:]
        for group in NotificationGroup.allCases { chosen[group] = try Self.channels(group, body) }
        // Programs that set all of them before there were topics do not name that group, and leave it as it is.
        let missing = NotificationGroup.allCases.filter { $0 != .newTopics && chosen[$0] == nil }.map(\.rawValue)
        guard !isWhole || missing.isEmpty else {
            throw Refusal.missing(missing)
        }
        guard !isWhole || !body.has(\.newTopics) || chosen[.newTopics] != nil else {
            throw Refusal(.invalidField, "the field `newTopics` must be a list of ways", fields: ["newTopics"])
        }
        let language = SiteLanguage.preferred(request.headers[.acceptLanguage]).rawValue
        let preferences = try await notifications.changePreferences(of: user, language: language) {
            [chosen] preferences in
            for (group, channels) in chosen { preferences[group] = channels }
        }
        return APIResources.preferences(preferences).response()
    }

    private static func field(
        of group: NotificationGroup
    ) -> KeyPath<NotificationPreferencesChangeFields, Field<NotificationWays?>> {
        switch group {
        case .newVideos: \.newVideos
        case .newTopics: \.newTopics
        case .aboutMe: \.aboutMe
        case .followed: \.followed
        }
    }

    private static func channels(
        _ group: NotificationGroup, _ body: BodyFields<NotificationPreferencesChangeFields>
    ) throws -> NotificationChannels? {
        guard let texts = try body.texts(field(of: group)) else { return nil }
        var channels: NotificationChannels = []
        for text in texts {
            guard let found = NotificationChannels.named.first(where: { $0.name == text }) else {
                let names = NotificationChannels.named.map(\.name).joined(separator: ", ")
                throw Refusal(
                    .invalidField, "the field `\(group.rawValue)` must be a list of \(names)",
                    fields: [group.rawValue])
            }
            channels.insert(found.channel)
        }
        return channels
    }

    // MARK: Events

    private func listen(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let (notifications, user) = try required(caller)
        return try await RevisionEvents(name: "notifications", authority: authority).response(
            to: request, caller, of: user, begin: { try await notifications.stream(of: user) },
            news: { seen, isFirst in
                let changes = try await notifications.changes(of: user, after: seen)
                // A device that begins is told the number for its badge.
                guard isFirst || changes.revision > seen else { return nil }
                return RevisionEvents.News(
                    revision: changes.revision,
                    data: .object([
                        ("unread", .integer(changes.unread)), ("incomplete", .boolean(changes.isIncomplete)),
                        ("items", changes.notifications.map(APIResources.notification).json),
                    ]))
            })
    }
}
