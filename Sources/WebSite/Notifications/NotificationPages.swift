import Accounts
package import HTTPEndpoints
import HTTPTypes
import Hummingbird
package import Notifications

/// What a member is told, and how: pages that work without a script.
package struct NotificationPages: Sendable {
    private let pages: AccountPages
    private let notifications: Notifications
    /// The ways by which this server can tell somebody.
    private let ways: [(name: String, channel: NotificationChannels)]

    /// - Parameters:
    ///   - pages: the account pages, whose forms look the same.
    ///   - notifications: what members are told.
    ///   - ways: the ways by which this server can tell somebody.
    package init(pages: AccountPages, notifications: Notifications, ways: NotificationChannels) {
        (self.pages, self.notifications) = (pages, notifications)
        self.ways = NotificationChannels.named.filter { ways.contains($0.channel) }
    }

    private static let path = ResourcePaths.notifications
    private static let settings = "\(path)/preferencias"
    private static let own = AccessRule.member(reason: "what the visitor is told")

    package var endpoints: [Endpoint] {
        [
            Endpoint(.get, Self.path, Self.own) { request, context in try await list(request, context) },
            Endpoint(.post, Self.path, Self.own) { _, context in
                try await notifications.markAllRead(of: try Notifications.member(context.caller).id)
                return pages.redirect(Self.path)
            },
            Endpoint(.get, "\(Self.path)/{id}", Self.own, handler: open),
            Endpoint(.post, Self.settings, Self.own, handler: change),
        ]
    }

    /// Marks a notification as read and leads to what it is about. It changes nothing else, and nothing that anybody but
    /// the visitor sees, so a link may do it.
    private func open(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let user = try Notifications.member(context.caller).id
        guard let id = OpaqueID(parsing: try context.parameters.require("id")) else {
            throw ProblemDetails(.notFound)
        }
        guard let notification = try await notifications.notification(id, of: user) else {
            throw ProblemDetails(.notFound)
        }
        try await notifications.markRead(id, of: user)
        return pages.redirect(ResourcePaths.page(of: notification) ?? Self.path)
    }

    private func change(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let sent = try await FormFields(request)
        let ways = ways
        _ = try await notifications.changePreferences(
            of: try Notifications.member(context.caller).id
        ) { preferences in
            for group in NotificationGroup.allCases {
                for way in ways {
                    if sent[Self.field(group, way.name)] == nil {
                        preferences[group].remove(way.channel)
                    } else {
                        preferences[group].insert(way.channel)
                    }
                }
            }
        }
        return pages.redirect("\(Self.path)?\(Self.savedParameter)=1")
    }

    private static let savedParameter = "saved"

    private static func field(_ group: NotificationGroup, _ way: String) -> String { "\(group.rawValue)-\(way)" }

    private func list(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let text = NotificationText.preferred(request.headers[.acceptLanguage])
        let user = try Notifications.member(context.caller).id
        let wanted = try PageRequest(request, defaultLimit: AccountsPage<MemberNotification>.defaultSize)
        let (page, unread) = try await notifications.notifications(
            of: user, after: wanted.cursor, limit: wanted.limit)
        let preferences = try await notifications.preferences(of: user)
        var section = AccountSection(text: page.items.isEmpty ? text.empty : nil)
        let accountText = pages.text(request)
        section.items = page.items.map { notification in
            let time = accountText.time(notification.changedAt)
            let path = notification.items.isEmpty ? nil : "\(Self.path)/\(notification.id)"
            return AccountSection.Item(
                text: text.sentence(notification),
                detail: notification.readAt == nil ? "\(time) · \(text.unread)" : time, path: path)
        }
        if unread > 0 { section.forms = [AccountForm(action: Self.path, button: text.readAll)] }
        if let next = page.next { section.links.append(("\(Self.path)?cursor=\(next)", text.more)) }
        let isSaved = PageRequest.value(of: Self.savedParameter, in: request) != nil
        return try pages.answer(
            text.heading, [section, settings(preferences, text)], notice: isSaved ? text.saved : nil, request, context)
    }

    private func settings(_ preferences: NotificationPreferences, _ text: NotificationText) -> AccountSection {
        var section = AccountSection(heading: text.settings, text: text.settingsText)
        let fields = NotificationGroup.allCases.flatMap { group in
            ways.map { way in
                AccountForm.Field(
                    name: Self.field(group, way.name),
                    label: "\(text.groups[group] ?? group.rawValue): \(text.ways[way.name] ?? way.name)",
                    type: "checkbox", value: "1", isChecked: preferences[group].contains(way.channel))
            }
        }
        section.forms = [AccountForm(action: Self.settings, fields: fields, button: text.save)]
        return section
    }
}
