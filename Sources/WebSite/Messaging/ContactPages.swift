import Accounts
import Community
import Foundation
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
import Messaging
import SiteTexts
import Workflows

/// Contacts, the way to new ones, and what a member has chosen.
struct ContactPages: Sendable {
    let pages: MessagingPages
    private var messaging: Messaging { pages.messaging }

    private typealias Path = MessagingPath

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, Path.contacts, MessagingPages.own, handler: contacts),
            Endpoint(.get, Path.people, MessagingPages.own, handler: people),
            Endpoint(.get, Path.settings, MessagingPages.own, handler: settings),
            Endpoint(.post, Path.settings, MessagingPages.own, handler: changeSettings),
            Endpoint(.get, "\(Path.inviting)/{name}", MessagingPages.own, handler: inviting),
            Endpoint(.post, "\(Path.inviting)/{name}", MessagingPages.own) { request, context in
                let sent = try await FormFields(request)
                let invitation = try await messaging.invite(
                    try context.parameters.require("name"), sent["text"] ?? "", by: context.caller)
                return pages.pages.redirect("\(Path.invitations)/\(invitation.id)")
            },
            Endpoint(.get, "\(Path.invitations)/{id}", MessagingPages.own, handler: invitation),
            Endpoint(.post, "\(Path.invitations)/{id}", MessagingPages.own, handler: answer),
            Endpoint(.post, "\(Path.contacts)/{name}/\(Path.chat)", MessagingPages.own) { _, context in
                let opened = try await messaging.open(
                    with: try context.parameters.require("name"), by: context.caller)
                return pages.pages.redirect(Path.conversation(opened.id))
            },
            Endpoint(.post, "\(Path.contacts)/{name}/\(Path.removal)", MessagingPages.own) { _, context in
                try await messaging.removeContact(
                    try context.parameters.require("name"), by: context.caller)
                return pages.pages.redirect(Path.contacts)
            },
        ]
    }

    // MARK: Lists

    /// Contacts and groups, with the invitations that wait on top.
    private func contacts(_ request: Request, _ context: GatewayRequestContext) async throws
        -> Response
    {
        let (text, wanted) = (pages.text(request), try PageRequest(request))
        let query = wanted.query ?? ""
        let found = try await messaging.contacts(
            query, from: PageRequest.value(of: "from", in: request), of: context.caller,
            after: wanted.cursor,
            limit: wanted.limit)
        let isFirst = wanted.cursor == nil
        var rows = isFirst && query.isEmpty ? try await waiting(text, context) : []
        if isFirst, !query.isEmpty { rows += try await groups(query, text, context) }
        let now = messaging.now
        rows += found.items.map { row($0, at: now, request) }
        var list = MessagingPages.List(path: Path.contacts, rows: rows, empty: text.noContacts)
        list.next = found.next.map {
            "\(Path.contacts)?q=\(SitePage.queryComponent(query))&cursor=\($0)"
        }
        list.search = (text.searchContacts, query, Path.contacts)
        list.letters = try await messaging.contactLetters(of: context.caller)
        list.links = [(Path.people, text.searchPeople), (Path.groups, text.newGroup)]
        return try await pages.answer(list, request, context)
    }

    private func row(_ contact: Contact, at now: WallClockTime, _ request: Request)
        -> MessagingPages.Row
    {
        let (text, name) = (pages.text(request), contact.member.username)
        let isOnline = contact.isOnline(at: now)
        let seen: PageText? = contact.seenAt.map { "\(text.seen) \(pages.pages.text(request).ago($0))" }
        return MessagingPages.Row(
            name: name, photo: MessagingPages.photo(of: contact.member),
            path: ResourcePaths.page(ofMember: name),
            line: isOnline ? text.online : "", detail: isOnline ? "" : seen ?? "", isOnline: isOnline,
            forms: [
                PageForm(action: Path.contact(name, Path.chat), button: text.chat),
                PageForm(action: Path.contact(name, Path.removal), button: text.remove, isDangerous: true),
            ])
    }

    private func waiting(
        _ text: MessagingText, _ context: GatewayRequestContext
    ) async throws -> [MessagingPages.Row] {
        try await messaging.invitations(for: context.caller, limit: 100).items.map { invitation in
            MessagingPages.Row(
                name: invitation.sender.username, photo: MessagingPages.photo(of: invitation.sender),
                path: ResourcePaths.page(ofContactInvitation: invitation.id), line: text.invited, unread: 1)
        }
    }

    /// The groups whose names contain what is looked for, among the newest.
    private func groups(
        _ query: String, _ text: MessagingText, _ context: GatewayRequestContext
    ) async throws -> [MessagingPages.Row] {
        try await messaging.conversations(.all, of: context.caller, limit: 100).items
            .filter { $0.kind == .group && $0.name?.localizedStandardContains(query) == true }.map {
                group in
                MessagingPages.Row(
                    name: MessagingPages.name(of: group, text), path: Path.conversation(group.id),
                    line: text.groupOf.filled("count", with: "\(group.memberCount)"))
            }
    }

    private func people(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let (text, wanted) = (pages.text(request), try PageRequest(request))
        let query = wanted.query ?? ""
        var list = MessagingPages.List(path: Path.people, rows: [], empty: text.searchPeopleText)
        list.search = (text.searchPeople, query, Path.people)
        guard !query.isEmpty else { return try await pages.answer(list, request, context) }
        let search = MemberSearch(messaging: messaging, community: pages.community)
        let found = try await search.members(
            query, for: context.caller, after: wanted.cursor, limit: wanted.limit)
        list.empty = text.nobodyFound
        list.rows = found.items.map { member in
            MessagingPages.Row(
                name: member.username, photo: ResourcePaths.photo(ofMember: member.username, member.photo),
                path: ResourcePaths.page(ofMember: member.username), line: "",
                forms: [
                    PageForm(
                        action: Path.contact(member.username, Path.chat), button: text.write, isQuiet: true)
                ], links: [(Path.invite(member.username), text.invite)])
        }
        list.next = found.next.map { "\(Path.people)?q=\(SitePage.queryComponent(query))&cursor=\($0)" }
        return try await pages.answer(list, request, context)
    }

    // MARK: Invitations

    private func inviting(_ request: Request, _ context: GatewayRequestContext) async throws
        -> Response
    {
        let (text, name) = (pages.text(request), try context.parameters.require("name"))
        _ = try await pages.community.member(named: name)
        let own = try context.caller.requireMember().username
        var section = PageSection(text: text.inviteText)
        section.forms = [
            PageForm(
                action: Path.invite(name),
                fields: [
                    .init(
                        name: "text", label: text.messageLabel, type: "textarea",
                        value: text.inviteDefault.filled("name", with: own))
                ], button: text.inviteSend)
        ]
        return try pages.pages.answer(
            text.inviteHeading.filled("name", with: name), [section], menu: Path.recent, request, context)
    }

    private func invitation(_ request: Request, _ context: GatewayRequestContext) async throws
        -> Response
    {
        let (text, account) = (pages.text(request), pages.pages.text(request))
        let found = try await messaging.invitation(
            try context.parameters.identifier(of: "invitation"), for: context.caller)
        let isReceiver = found.receiver.id == context.principal.member?.id
        let other = isReceiver ? found.sender : found.receiver
        let state: String =
            switch found.state {
            case .open: text.waiting
            case .accepted: text.accepted
            case .refused: text.refused
            }
        var section = PageSection()
        section.items = [
            PageSection.Item(
                text: other.username,
                detail: found.state == .open && isReceiver ? account.ago(found.sentAt) : PageText(state),
                notes: found.text.isEmpty ? [] : [found.text],
                path: ResourcePaths.page(ofMember: other.username),
                member: (other.username, MessagingPages.photo(of: other)))
        ]
        let path = "\(Path.invitations)/\(found.id)"
        func form(_ value: String, _ button: String, isDangerous: Bool = false) -> PageForm {
            PageForm(
                action: path, fields: [.init(name: "do", label: "", type: "hidden", value: value)],
                button: button,
                isDangerous: isDangerous)
        }
        switch (found.state, isReceiver) {
        case (.open, true):
            section.forms = [form("accept", text.accept), form("refuse", text.refuse, isDangerous: true)]
        case (.open, false): section.forms = [form("withdraw", text.withdraw, isDangerous: true)]
        case (.accepted, _):
            section.forms = [PageForm(action: Path.contact(other.username, Path.chat), button: text.chat)]
        case (.refused, _): break
        }
        section.links = [(Path.contacts, text.contacts)]
        let heading =
            isReceiver ? text.invitedBy.filled("name", with: other.username) : text.invitations
        return try pages.pages.answer(heading, [section], menu: Path.recent, request, context)
    }

    private func answer(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let (sent, id) = (
            try await FormFields(request), try context.parameters.identifier(of: "invitation")
        )
        switch sent["do"] {
        case "accept": _ = try await messaging.answer(id, accepts: true, by: context.caller)
        case "refuse": _ = try await messaging.answer(id, accepts: false, by: context.caller)
        case "withdraw":
            try await messaging.withdraw(id, by: context.caller)
            return pages.pages.redirect(Path.contacts)
        default: throw ProblemDetails(.unprocessableContent)
        }
        return pages.pages.redirect("\(Path.invitations)/\(id)")
    }

    // MARK: Choices

    private func settings(_ request: Request, _ context: GatewayRequestContext) async throws
        -> Response
    {
        let text = pages.text(request)
        let chosen = try await messaging.preferences(of: context.caller)
        var section = PageSection()
        section.forms = [
            PageForm(
                action: Path.settings,
                fields: [
                    ("presence", text.sharesPresence, chosen.sharesPresence),
                    ("marks", text.sendsMarks, chosen.sendsMarks),
                    ("email", text.foundByEmail, chosen.isFoundByEmail),
                    ("phone", text.foundByPhone, chosen.isFoundByPhone),
                ].map { .init(name: $0.0, label: $0.1, type: "checkbox", value: "1", isChecked: $0.2) },
                button: text.save)
        ]
        section.links = [(Path.recent, text.recent)]
        let isSaved = PageRequest.value(of: "saved", in: request) != nil
        return try pages.pages.answer(
            text.settings, [section], notice: isSaved ? text.saved : nil, menu: Path.recent, request,
            context)
    }

    private func changeSettings(_ request: Request, _ context: GatewayRequestContext) async throws
        -> Response
    {
        let sent = try await FormFields(request)
        _ = try await messaging.changePreferences(of: context.caller) { preferences in
            preferences.sharesPresence = sent["presence"] != nil
            preferences.sendsMarks = sent["marks"] != nil
            preferences.isFoundByEmail = sent["email"] != nil
            preferences.isFoundByPhone = sent["phone"] != nil
        }
        return pages.pages.redirect("\(Path.settings)?saved=1")
    }
}
