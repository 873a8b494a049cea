import Accounts
package import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
package import Notifications
import SiteTexts
import WebPush
import Workflows

/// A member's notifications and preferences: pages that work without a script.
package struct NotificationPages: Sendable {
    /// The links to the pages on the page of an account.
    package static let links = [
        AccountPageLink(path: ResourcePaths.notifications, need: nil) { NotificationText.of($0).heading }
    ]

    private let pages: AccountPages
    private let notifications: Notifications
    /// The public key for browsers that want push messages; `nil` if the server sends none.
    private let pushKey: String?
    private typealias Way = (name: String, channel: NotificationChannels)

    /// The ways by which this server can tell a member, without webhooks for those who have none.
    private func ways(for user: UserID) async throws -> [Way] {
        var ways = notifications.settings.ways
        if !(try await notifications.hasWebhook(user)) { ways.remove(.webhook) }
        return NotificationChannels.named.filter { ways.contains($0.channel) }
    }

    /// - Parameters:
    ///   - pages: the account pages, whose forms look the same.
    ///   - notifications: what members are told.
    ///   - pushKey: the public key for browsers that want push messages; `nil` if the server sends none.
    package init(pages: AccountPages, notifications: Notifications, pushKey: String?) {
        (self.pages, self.notifications, self.pushKey) = (pages, notifications, pushKey)
    }

    private static let path = ResourcePaths.notifications
    private static let settings = "\(path)/preferencias"
    private static let devices = "\(path)/dispositivos"
    private static let linkReason = "the link in a mail is a credential of its own"
    private static let own = AccessRule.member(.session, reason: "what the visitor is told")

    package var endpoints: [Endpoint] {
        [
            Endpoint(.get, Self.path, Self.own) { request, context in try await list(request, context) },
            Endpoint(.post, Self.path, Self.own) { _, context in
                try await notifications.markAllRead(of: try context.caller.requireMember().id)
                return pages.redirect(Self.path)
            },
            Endpoint(.get, "\(Self.path)/{id}", Self.own, handler: open),
            Endpoint(.post, Self.settings, Self.own, handler: change),
            Endpoint(.post, Self.devices, Self.own, handler: addDevice),
            Endpoint(.post, "\(Self.devices)/{id}", Self.own) { _, context in
                guard let id = OpaqueID(parsing: try context.parameters.require("id")) else {
                    throw ProblemDetails(.notFound)
                }
                try await notifications.unsubscribe(id, of: try context.caller.requireMember().id)
                return pages.redirect(Self.path)
            },
            Endpoint(.get, ResourcePaths.endOfMail, .open(reason: Self.linkReason)) { request, context in
                let text = NotificationText.preferred(request.headers[.acceptLanguage])
                guard let query = request.uri.query else { throw ProblemDetails(.notFound) }
                var section = PageSection(text: text.endMailQuestion)
                section.forms = [PageForm(action: "\(ResourcePaths.endOfMail)?\(query)", button: text.endMail)]
                return try pages.answer(text.heading, [section], request, context)
            },
            Endpoint(.post, ResourcePaths.endOfMail, .open(reason: Self.linkReason), handler: endMail),
        ]
    }

    /// Marks a notification as read and leads to what it is about. It changes nothing else, and nothing that anybody
    /// but the visitor sees, so a link may do it.
    private func open(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let user = try context.caller.requireMember().id
        guard let id = OpaqueID(parsing: try context.parameters.require("id")) else {
            throw ProblemDetails(.notFound)
        }
        guard let notification = try await notifications.notification(id, of: user) else {
            throw ProblemDetails(.notFound)
        }
        try await notifications.markRead(id, of: user)
        return pages.redirect(ResourcePaths.page(of: notification) ?? Self.path)
    }

    /// Mail programs send this by themselves, without cookies (RFC 8058 §3.2).
    private func endMail(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let text = NotificationText.preferred(request.headers[.acceptLanguage])
        guard let user = PageRequest.value(of: "user", in: request).flatMap({ UserID(parsing: $0) }),
            let code = PageRequest.value(of: "code", in: request),
            try await notifications.endMail(of: user, code: code)
        else { throw ProblemDetails(.notFound, "the link is not valid") }
        return try pages.answer(text.heading, [PageSection(text: text.mailEnded)], request, context)
    }

    private func addDevice(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let sent = try await FormFields(request)
        let keys: PushKeys
        do {
            keys = try PushKeys(p256dh: sent["p256dh"] ?? "", auth: sent["auth"] ?? "")
        } catch {
            throw ProblemDetails(.unprocessableContent, error.reason)
        }
        _ = try await notifications.subscribe(
            sent["endpoint"] ?? "", keys, language: SiteLanguage.preferred(request.headers[.acceptLanguage]).rawValue,
            by: context.caller)
        return pages.redirect("\(Self.path)?\(Self.savedParameter)=1")
    }

    private func change(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let sent = try await FormFields(request)
        let user = try context.caller.requireMember().id
        let ways = try await ways(for: user)
        _ = try await notifications.changePreferences(
            of: user,
            language: SiteLanguage.preferred(request.headers[.acceptLanguage]).rawValue
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
        let user = try context.caller.requireMember().id
        let wanted = try PageRequest(request)
        let (page, unread) = try await notifications.notifications(
            of: user, after: wanted.cursor, limit: wanted.limit)
        let preferences = try await notifications.preferences(of: user)
        var section = PageSection(text: page.items.isEmpty ? text.empty : nil)
        let accountText = pages.text(request)
        section.items = page.items.map { notification in
            let time = accountText.ago(notification.changedAt)
            let path = notification.items.isEmpty ? nil : "\(Self.path)/\(notification.id)"
            return PageSection.Item(
                text: text.sentence(notification),
                detail: notification.readAt == nil ? "\(time) · \(text.unread)" : time, path: path)
        }
        if unread > 0 { section.forms = [PageForm(action: Self.path, button: text.readAll)] }
        if let next = page.next { section.links.append(("\(Self.path)?cursor=\(next)", text.more)) }
        let isSaved = PageRequest.value(of: Self.savedParameter, in: request) != nil
        return try pages.answer(
            text.heading,
            [section, settings(preferences, try await ways(for: user), text)]
                + (try await deviceSection(user, text)),
            notice: isSaved ? text.saved : nil, request, context)
    }

    private func deviceSection(_ user: UserID, _ text: NotificationText) async throws -> [PageSection] {
        guard let pushKey else { return [] }
        var section = PageSection(heading: text.devices)
        section.items = try await notifications.subscriptions(of: user).map { subscription in
            PageSection.Item(
                text: subscription.service,
                forms: [
                    PageForm(
                        action: "\(Self.devices)/\(subscription.id)", button: text.removeDevice, isDangerous: true)
                ])
        }
        section.forms = [
            PageForm(
                action: Self.devices,
                fields: ["endpoint", "p256dh", "auth"].map { PageForm.Field(name: $0, label: "", type: "hidden") },
                button: text.addDevice, push: PageForm.Push(key: pushKey, failure: text.addDeviceFailed))
        ]
        return [section]
    }

    private func settings(
        _ preferences: NotificationPreferences, _ ways: [Way], _ text: NotificationText
    ) -> PageSection {
        var section = PageSection(heading: text.settings, text: text.settingsText)
        let fields = NotificationGroup.allCases.flatMap { group in
            ways.map { way in
                PageForm.Field(
                    name: Self.field(group, way.name),
                    label: "\(text.groups[group] ?? group.rawValue): \(text.ways[way.name] ?? way.name)",
                    type: "checkbox", value: "1", isChecked: preferences[group].contains(way.channel))
            }
        }
        section.forms = [PageForm(action: Self.settings, fields: fields, button: text.save)]
        return section
    }
}
