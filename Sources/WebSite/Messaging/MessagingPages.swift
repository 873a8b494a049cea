import Accounts
package import Community
package import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
package import Messaging
package import Notifications
import SiteTexts
import Workflows

/// Contacts and messages of a member: pages that work without a script.
package struct MessagingPages: Sendable {
    /// The link on the page of an account.
    package static let links = [
        AccountPageLink(path: MessagingPath.recent, need: nil) { MessagingText.of($0).heading }
    ]

    let pages: AccountPages
    let messaging: Messaging
    let community: Community
    /// The notifications that stand among the recent conversations; `nil` for a server without any.
    let notifications: Notifications?

    /// - Parameters:
    ///   - pages: the account pages, whose forms look the same.
    ///   - messaging: contacts and conversations.
    ///   - community: finds members by their names.
    ///   - notifications: the notifications that stand among the recent conversations; `nil` for a server without any.
    package init(
        pages: AccountPages, messaging: Messaging, community: Community, notifications: Notifications?
    ) {
        (self.pages, self.messaging, self.community) = (pages, messaging, community)
        self.notifications = notifications
    }

    static let own = AccessRule.member(.session, reason: "the visitor's own contacts and messages")

    package var endpoints: [Endpoint] {
        lists + ContactPages(pages: self).endpoints + ConversationPages(pages: self).endpoints
            + GroupPages(pages: self).endpoints
    }

    private var lists: [Endpoint] {
        [
            Endpoint(.get, MessagingPath.recent, Self.own) { request, context in
                try await conversations(.recent, MessagingPath.recent, request, context)
            },
            Endpoint(.get, MessagingPath.chats, Self.own) { request, context in
                try await conversations(.all, MessagingPath.chats, request, context)
            },
            Endpoint(.get, MessagingPath.requests, Self.own, handler: requests),
            Endpoint(.get, MessagingPath.search, Self.own, handler: search),
            Endpoint(.post, MessagingPath.clearing, Self.own) { _, context in
                try await messaging.clearAll(by: context.caller)
                return pages.redirect(MessagingPath.recent)
            },
        ]
    }

    func text(_ request: Request) -> MessagingText {
        MessagingText.preferred(request.headers[.acceptLanguage])
    }

    // MARK: Lists

    /// A line of a list.
    struct Row {
        var name: String
        var photo: String?
        var path: String
        var line: String
        /// The time by which conversations and notifications are put in order.
        var time = WallClockTime(millisecondsSince1970: 0)
        var detail: PageText = ""
        var unread: Int64 = 0
        var isOnline = false
        var forms: [PageForm] = []
        var links: [(path: String, text: String)] = []
    }

    /// A list with the menu of sections above it.
    struct List {
        /// The path of the section.
        var path: String
        var rows: [Row]
        var empty: String
        var next: String?
        /// The label of a search in the list, the text that is looked for, and where; `nil` without one.
        var search: (label: String, query: String, path: String)?
        var letters: [String] = []
        var forms: [PageForm] = []
        var links: [(path: String, text: String)] = []
        var heading: String?
    }

    func answer(_ list: List, _ request: Request, _ context: GatewayRequestContext) async throws
        -> Response
    {
        let (text, csrf) = (text(request), context.csrfToken)
        let badges = try await messaging.badges(of: try context.caller.requireMember().id)
        var values: [String: Any] = [
            "m": text, "tabs": tabs(list.path, badges, text), "isEmpty": list.rows.isEmpty,
            "emptyText": list.empty,
            "rows": list.rows.map { row in
                var values: [String: Any] = [
                    "name": SitePage.displayed(row.name),
                    "avatar": SitePage.avatar(row.name, photo: row.photo),
                    "path": row.path, "line": SitePage.displayed(row.line), "detail": row.detail.values,
                    "isOnline": row.isOnline, "forms": row.forms.map { $0.values(csrf: csrf) },
                    "links": row.links.map { ["path": $0.path, "text": $0.text] },
                ]
                values["unread"] =
                    row.unread == 0
                    ? false
                    : [
                        "count": row.unread >= MessagingLimits.unreadCount ? "99+" : "\(row.unread)",
                        "label": (row.unread == 1 ? text.unreadOne : text.unreadMany)
                            .filled("count", with: "\(row.unread)"),
                    ]
                return values
            },
            "listForms": list.forms.map { $0.values(csrf: csrf) },
            "listLinks": list.links.map { ["path": $0.path, "text": $0.text] },
        ]
        values["listHeading"] = list.heading ?? false
        values["next"] = list.next ?? false
        if let search = list.search {
            values["find"] = [
                "label": search.label, "query": SitePage.displayed(search.query), "path": search.path,
                "button": text.search,
            ]
        }
        if !list.letters.isEmpty {
            values["letters"] = [
                "all": MessagingPath.contacts,
                "each": list.letters.map { letter in
                    [
                        "letter": SitePage.displayed(letter.uppercased()),
                        "path": "\(MessagingPath.contacts)?from=\(SitePage.queryComponent(letter))",
                    ]
                },
            ]
        }
        var response = try SitePage(.messages, request, context).response(values, title: text.heading)
        response.headers[.cacheControl] = "private, no-store"
        return response
    }

    private func tabs(_ path: String, _ badges: Messaging.Badges, _ text: MessagingText) -> [[String:
        Any]]
    {
        [
            (MessagingPath.recent, text.recent, badges.unread), (MessagingPath.chats, text.chats, 0),
            (MessagingPath.contacts, text.contacts, badges.invitations),
            (MessagingPath.requests, text.requests, badges.requests),
            (MessagingPath.people, text.people, 0),
            (MessagingPath.settings, text.settings, 0),
        ].map { tab in
            [
                "path": tab.0, "name": tab.1, "current": tab.0 == path,
                "count": tab.2 == 0 ? false : "\(tab.2)" as Any,
            ]
        }
    }

    private func conversations(
        _ list: ConversationList, _ path: String, _ request: Request, _ context: GatewayRequestContext
    ) async throws -> Response {
        let (text, wanted) = (text(request), try PageRequest(request))
        let found = try await messaging.conversations(
            list, of: context.caller, after: wanted.cursor, limit: wanted.limit)
        let isRecent = list == .recent
        var shown = List(
            path: path, rows: found.items.map { row($0, showsCreation: !isRecent, request) },
            empty: isRecent ? text.noRecent : text.noChats,
            next: found.next.map { "\(path)?cursor=\($0)" })
        shown.search = (text.searchMessages, "", MessagingPath.search)
        if isRecent {
            if wanted.cursor == nil {
                shown.rows = try await withNotifications(shown.rows, isWhole: found.next == nil, request, context)
            }
            shown.links = [(ResourcePaths.notifications, text.notifications)]
            if !found.items.isEmpty {
                shown.forms = [
                    PageForm(action: MessagingPath.clearing, button: text.clearAll, isDangerous: true)
                ]
            }
        }
        shown.links.append((MessagingPath.groups, text.newGroup))
        return try await answer(shown, request, context)
    }

    /// Number of notifications that stand among the recent conversations.
    private static let notificationCount = 20

    /// The recent conversations of the first page with the newest notifications, in the order of their times.
    ///
    /// - Parameter isWhole: whether there are no older conversations on a further page.
    private func withNotifications(
        _ rows: [Row], isWhole: Bool, _ request: Request, _ context: GatewayRequestContext
    ) async throws -> [Row] {
        guard let notifications else { return rows }
        let (text, account) = (
            NotificationText.preferred(request.headers[.acceptLanguage]), pages.text(request)
        )
        let found = try await notifications.notifications(
            of: try context.caller.requireMember().id, limit: Self.notificationCount
        ).page.items
        let oldest = isWhole ? nil : rows.last?.time
        let told = found.filter { notification in oldest.map { notification.changedAt > $0 } ?? true }
        let lines = told.map { notification in
            Row(
                name: text.sentence(notification), path: "\(ResourcePaths.notifications)/\(notification.id)",
                line: text.heading, time: notification.changedAt, detail: account.ago(notification.changedAt),
                unread: notification.readAt == nil ? 1 : 0)
        }
        return (rows + lines).sorted { $0.time > $1.time }
    }

    /// The name that a member sees of a conversation.
    static func name(of conversation: Conversation, _ text: MessagingText) -> String {
        conversation.name ?? conversation.other?.username ?? text.deletedAccount
    }

    static func photo(of member: NamedMember?) -> String? {
        ResourcePaths.photo(ofMember: member?.username, member?.photo)
    }

    private func row(_ conversation: Conversation, showsCreation: Bool, _ request: Request) -> Row {
        let (text, account) = (text(request), pages.text(request))
        let last = conversation.lastMessage
        let detail: PageText? =
            showsCreation
            ? "\(text.madeAt) \(account.time(conversation.createdAt))"
            : last.map { account.ago($0.sentAt) }
        let line = last.map { text.line($0) } ?? ""
        let sender =
            conversation.kind == .group && last?.kind == .text
            ? last?.sender.map { "\($0.username): " } : nil
        return Row(
            name: Self.name(of: conversation, text), photo: Self.photo(of: conversation.other),
            path: MessagingPath.conversation(conversation.id), line: "\(sender ?? "")\(line)",
            time: last?.sentAt ?? conversation.createdAt, detail: detail ?? "",
            unread: conversation.unread,
            forms: [
                PageForm(
                    action: MessagingPath.conversation(conversation.id, MessagingPath.clear),
                    button: text.clear,
                    isQuiet: true)
            ])
    }

    private func requests(_ request: Request, _ context: GatewayRequestContext) async throws
        -> Response
    {
        let (text, wanted) = (text(request), try PageRequest(request))
        let found = try await messaging.conversations(
            .requests, of: context.caller, after: wanted.cursor, limit: wanted.limit)
        var rows = found.items.map { row($0, showsCreation: false, request) }
        for index in rows.indices { rows[index].forms = [] }
        return try await answer(
            List(
                path: MessagingPath.requests, rows: rows, empty: text.noRequests,
                next: found.next.map { "\(MessagingPath.requests)?cursor=\($0)" }), request, context)
    }

    private func search(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let (text, wanted, account) = (text(request), try PageRequest(request), pages.text(request))
        let found = try await messaging.search(
            wanted.query ?? "", for: context.caller, after: wanted.cursor, limit: wanted.limit)
        let rows = found.items.map { message in
            Row(
                name: message.sender?.username ?? text.deletedAccount,
                photo: Self.photo(of: message.sender),
                path: "\(MessagingPath.conversation(message.conversation))?from=\(message.sequence)",
                line: text.line(message), detail: account.ago(message.sentAt))
        }
        var list = List(path: MessagingPath.recent, rows: rows, empty: text.nothingFound)
        list.heading = text.matches
        list.search = (text.searchMessages, wanted.query ?? "", MessagingPath.search)
        list.next = found.next.map {
            "\(MessagingPath.search)?q=\(SitePage.queryComponent(wanted.query ?? ""))&cursor=\($0)"
        }
        return try await answer(list, request, context)
    }
}
