import Accounts
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
import Messaging
import SiteTexts
import Workflows

/// New groups, and the information page of a conversation with its members.
struct GroupPages: Sendable {
    let pages: MessagingPages
    private var messaging: Messaging { pages.messaging }

    private typealias Path = MessagingPath
    private static let path = "\(Path.conversations)/{id}"
    private static let member = "\(path)/\(Path.members)/{member}"

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, Path.groups, MessagingPages.own, handler: new),
            Endpoint(.post, Path.groups, MessagingPages.own) { request, context in
                let sent = try await FormFields(request)
                let group = try await messaging.makeGroup(
                    sent["name"] ?? "", members: sent.all("member"), by: context.caller)
                return pages.pages.redirect(Path.conversation(group.id))
            },
            Endpoint(.get, "\(Self.path)/\(Path.information)", MessagingPages.own, handler: information),
            Endpoint(.post, "\(Self.path)/\(Path.name)", MessagingPages.own) { request, context in
                let (sent, id) = (try await FormFields(request), try ConversationPages.id(context))
                _ = try await messaging.rename(id, sent["name"] ?? "", by: context.caller)
                return back(to: id)
            },
            Endpoint(.post, "\(Self.path)/\(Path.members)", MessagingPages.own) { request, context in
                let (sent, id) = (try await FormFields(request), try ConversationPages.id(context))
                for name in sent.all("member") { try await messaging.add(name, to: id, by: context.caller) }
                return back(to: id)
            },
            Endpoint(.post, Self.member, MessagingPages.own, handler: changeMember),
            Endpoint(.post, "\(Self.path)/\(Path.deletion)", MessagingPages.own) { _, context in
                try await messaging.deleteGroup(try ConversationPages.id(context), by: context.caller)
                return pages.pages.redirect(Path.chats)
            },
        ]
    }

    private func back(to id: OpaqueID) -> Response {
        pages.pages.redirect(Path.conversation(id, Path.information))
    }

    /// Limit of the contacts that a form offers.
    private static let maximumChoiceCount = 100

    private func choices(_ context: GatewayRequestContext, without names: Set<String> = [])
        async throws -> [String]
    {
        try await messaging.contacts(of: context.caller, limit: Self.maximumChoiceCount).items
            .map(\.member.username).filter { !names.contains($0) }
    }

    private func new(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let (text, names) = (pages.text(request), try await choices(context))
        var section = PageSection(text: names.isEmpty ? text.noContactsForGroup : text.groupMembersText)
        let boxes = names.map { PageForm.Field(name: "member", label: $0, type: "checkbox", value: $0) }
        section.forms = [
            PageForm(
                action: Path.groups,
                fields: [.init(name: "name", label: text.groupName, isRequired: true)] + boxes,
                button: text.create)
        ]
        section.links = [(Path.recent, text.recent)]
        return try pages.pages.answer(text.newGroup, [section], menu: Path.recent, request, context)
    }

    private func information(_ request: Request, _ context: GatewayRequestContext) async throws
        -> Response
    {
        let (text, id) = (pages.text(request), try ConversationPages.id(context))
        let conversation = try await messaging.conversation(id, for: context.caller)
        let members = try await messaging.members(of: id, for: context.caller)
        let own = try context.caller.requireMember()
        let isAdmin = conversation.role == .admin
        var people = PageSection(heading: text.members)
        people.items = members.map { member in
            let name = member.member.username
            var item = PageSection.Item(
                text: name, detail: PageText(member.role == .admin ? text.admin : ""),
                path: ResourcePaths.page(ofMember: name),
                member: (name, MessagingPages.photo(of: member.member)))
            if isAdmin, member.member.id != own.id {
                item.forms = [
                    form(
                        id, name, "role", member.role == .admin ? text.endAdmin : text.makeAdmin, isQuiet: true),
                    form(id, name, "remove", text.removeMember, isDangerous: true),
                ]
            }
            return item
        }
        var about = PageSection(
            text: "\(text.madeAt) \(pages.pages.text(request).time(conversation.createdAt).plain)")
        about.forms = [
            PageForm(
                action: Path.conversation(id, Path.mute),
                fields: [
                    .init(name: "on", label: "", type: "hidden", value: conversation.isMuted ? "0" : "1")
                ],
                button: conversation.isMuted ? text.unmute : text.mute, isQuiet: true)
        ]
        if conversation.kind == .group {
            about.forms.append(form(id, own.username, "remove", text.leave, isDangerous: true))
        }
        about.links = [(Path.conversation(id), text.chat)]
        var sections = [about, people]
        if isAdmin, conversation.kind == .group {
            sections.append(try await administration(conversation, members, text, context))
        }
        return try pages.pages.answer(
            MessagingPages.name(of: conversation, text), sections, menu: Path.recent, request, context)
    }

    private func administration(
        _ group: Conversation, _ members: [ConversationMember], _ text: MessagingText,
        _ context: GatewayRequestContext
    ) async throws -> PageSection {
        var section = PageSection(heading: text.add)
        let names = try await choices(context, without: Set(members.map(\.member.username)))
        if names.isEmpty {
            section.text = text.addText
        } else {
            section.forms = [
                PageForm(
                    action: Path.conversation(group.id, Path.members),
                    fields: names.map { .init(name: "member", label: $0, type: "checkbox", value: $0) },
                    button: text.add)
            ]
        }
        section.forms += [
            PageForm(
                action: Path.conversation(group.id, Path.name),
                fields: [
                    .init(name: "name", label: text.groupName, value: group.name ?? "", isRequired: true)
                ],
                button: text.rename, isQuiet: true),
            PageForm(
                action: Path.conversation(group.id, Path.deletion), button: text.deleteGroup,
                isDangerous: true),
        ]
        return section
    }

    private func form(
        _ id: OpaqueID, _ name: String, _ action: String, _ button: String, isDangerous: Bool = false,
        isQuiet: Bool = false
    ) -> PageForm {
        PageForm(
            action: "\(Path.conversation(id, Path.members))/\(SitePage.queryComponent(name))",
            fields: [.init(name: "do", label: "", type: "hidden", value: action)], button: button,
            isDangerous: isDangerous, isQuiet: isQuiet)
    }

    private func changeMember(_ request: Request, _ context: GatewayRequestContext) async throws
        -> Response
    {
        let (sent, id) = (try await FormFields(request), try ConversationPages.id(context))
        let name = try context.parameters.require("member")
        if sent["do"] == "role" {
            let members = try await messaging.members(of: id, for: context.caller)
            let isAdmin = members.first { $0.member.username == name }?.role == .admin
            try await messaging.setRole(isAdmin ? .member : .admin, of: name, in: id, by: context.caller)
            return back(to: id)
        }
        try await messaging.remove(name, from: id, by: context.caller)
        return name == context.principal.member?.username
            ? pages.pages.redirect(Path.chats) : back(to: id)
    }
}
