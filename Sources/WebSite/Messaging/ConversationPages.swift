import Accounts
import Foundation
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
import Messaging
import SiteTexts
import Workflows

/// The page of a conversation: it works without a script, which makes it live.
struct ConversationPages: Sendable {
    let pages: MessagingPages
    private var messaging: Messaging { pages.messaging }

    private typealias Path = MessagingPath
    private static let path = "\(Path.conversations)/{id}"
    /// Number of messages that a page has.
    private static let pageSize = 50

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, Self.path, MessagingPages.own, handler: show),
            Endpoint(.post, Self.path, MessagingPages.own, handler: send),
            Endpoint(.post, "\(Self.path)/\(Path.clear)", MessagingPages.own) { _, context in
                try await messaging.clear(try Self.id(context), by: context.caller)
                return pages.pages.redirect(Path.recent)
            },
            Endpoint(.post, "\(Self.path)/\(Path.answer)", MessagingPages.own) { request, context in
                let (sent, id) = (try await FormFields(request), try Self.id(context))
                let accepts = sent["do"] == "accept"
                try await messaging.answerRequest(id, accepts: accepts, by: context.caller)
                return pages.pages.redirect(accepts ? Path.conversation(id) : Path.requests)
            },
            Endpoint(.post, "\(Self.path)/\(Path.mute)", MessagingPages.own) { request, context in
                let (sent, id) = (try await FormFields(request), try Self.id(context))
                _ = try await messaging.setMuted(sent["on"] == "1", id, by: context.caller)
                return pages.pages.redirect(Path.conversation(id, Path.information))
            },
            Endpoint(.post, "\(Self.path)/\(Path.message)/{sequence}", MessagingPages.own) {
                request, context in
                let (sent, id) = (try await FormFields(request), try Self.id(context))
                guard let sequence = Int64(try context.parameters.require("sequence")) else {
                    throw ProblemDetails(.notFound)
                }
                try await messaging.delete(
                    sequence, of: id, forEverybody: sent["for"] == "everybody", by: context.caller)
                return pages.pages.redirect(Path.conversation(id))
            },
        ]
    }

    static func id(_ context: GatewayRequestContext) throws -> OpaqueID {
        try context.parameters.identifier(of: "conversation")
    }

    /// Sends what was typed, without a script.
    private func send(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let (sent, id) = (try await FormFields(request), try Self.id(context))
        let new = NewMessage(
            clientID: sent["id"] ?? "\(OpaqueID())", content: .text(sent["text"] ?? ""))
        _ = try await messaging.send(new, to: id, by: context.caller)
        return pages.pages.redirect("\(Path.conversation(id))#end")
    }

    private func show(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let (text, id, caller) = (pages.text(request), try Self.id(context), context.caller)
        let wanted = try PageRequest(request, defaultLimit: Self.pageSize)
        let cursor = try wanted.cursor ?? Self.start(request)
        var conversation = try await messaging.conversation(id, for: caller)
        let found = try await messaging.messages(
            in: id, for: caller, after: cursor, limit: wanted.limit)
        if cursor == nil, conversation.state == .active {
            conversation = try await messaging.mark(
                delivered: nil, read: conversation.lastSequence, id, by: caller)
        }
        let own = try caller.requireMember()
        let members = try await messaging.members(of: id, for: caller)
        var values: [String: Any] = [
            "m": text, "recentPath": Path.recent, "conversationPath": Path.conversation(id),
            "informationPath": Path.conversation(id, Path.information), "talk": id.text,
            "talkName": SitePage.displayed(MessagingPages.name(of: conversation, text)),
            "talkAvatar": SitePage.avatar(
                MessagingPages.name(of: conversation, text),
                photo: MessagingPages.photo(of: conversation.other)),
            "messages": found.items.reversed().map {
                Self.values($0, own: own.id, text, pages.pages.text(request), csrf: context.csrfToken)
            },
            "older": found.next.map { "\(Path.conversation(id))?cursor=\($0)" } ?? false as Any,
            "olderCursor": found.next ?? "", "change": "\(conversation.lastChange)", "own": own.username,
            "talkWords": text.words, "newID": OpaqueID().text, "csrfValue": context.csrfToken ?? "",
            "isWritable": conversation.kind == .group || conversation.other != nil,
            "state": Self.state(conversation, members, own: own.id, text),
            "limit": "\(MessagingLimits.messageLength)", "isPair": conversation.kind == .pair,
        ]
        values["request"] =
            conversation.state != .request
            ? false
            : [
                "path": Path.conversation(id, Path.answer),
                "text": text.requestText.filled("name", with: MessagingPages.name(of: conversation, text)),
            ]
        if conversation.kind == .pair, let other = conversation.other {
            values["presence"] = try await presence(of: other, request, context)?.values ?? false
        }
        var response = try SitePage(.conversation, request, context).response(
            values, title: SitePage.displayed(MessagingPages.name(of: conversation, text)))
        response.headers[.cacheControl] = "private, no-store"
        return response
    }

    /// The cursor of a page that begins with a message that was found.
    private static func start(_ request: Request) throws -> String? {
        guard let text = PageRequest.value(of: "from", in: request), let sequence = Int64(text),
            sequence > 0,
            sequence < .max
        else { return nil }
        return ListCursor(number: sequence + 1).text
    }

    private func presence(
        of other: NamedMember, _ request: Request, _ context: GatewayRequestContext
    ) async throws -> PageText? {
        guard let contact = try? await messaging.contact(other.username, of: context.caller) else {
            return nil
        }
        let text = pages.text(request)
        if contact.isOnline(at: messaging.now) { return PageText(text.online) }
        return contact.seenAt.map { "\(text.seen) \(pages.pages.text(request).ago($0))" }
    }

    /// Whether the last own message of a conversation of two was received and read.
    private static func state(
        _ conversation: Conversation, _ members: [ConversationMember], own: UserID,
        _ text: MessagingText
    ) -> String {
        guard conversation.kind == .pair, let last = conversation.lastMessage, last.sender?.id == own,
            let other = members.first(where: { $0.member.id != own })
        else { return "" }
        guard let delivered = other.deliveredThrough, let read = other.readThrough else { return "" }
        if read >= last.sequence { return text.read }
        return delivered >= last.sequence ? text.delivered : text.sent
    }

    private static func values(
        _ message: ConversationMessage, own: UserID, _ text: MessagingText, _ account: AccountText,
        csrf: String?
    ) -> [String: Any] {
        let isOwn = message.sender?.id == own
        let isEvent = ![.text, .place, .contact].contains(message.kind)
        let mayDelete = isOwn && !isEvent && !message.isDeleted
        return [
            "sequence": "\(message.sequence)", "isOwn": isOwn, "isEvent": isEvent,
            "from": SitePage.displayed(message.sender?.username ?? text.deletedAccount),
            // Mustache escapes it; it was stripped of control characters when it was stored.
            "text": text.line(message), "isDeleted": message.isDeleted,
            "time": PageText(message.sentAt, locale: account.language.locale).values,
            "map": message.latitude.flatMap { latitude in
                message.longitude.map { place(latitude, $0) }
            } ?? false as Any,
            "contactPath": message.kind == .contact
                ? message.subject.map { ResourcePaths.page(ofMember: $0.username) } ?? false as Any
                : false as Any,
            "deletePath": "\(Path.conversation(message.conversation, Path.message))/\(message.sequence)",
            "mayDeleteForAll": mayDelete, "csrfToken": csrf ?? "",
        ]
    }

    /// The coordinates of a place, as people read them.
    private static func place(_ latitude: Double, _ longitude: Double) -> String {
        let style = FloatingPointFormatStyle<Double>(locale: Locale(identifier: "en_US_POSIX"))
            .precision(.fractionLength(5)).grouping(.never)
        return "\(latitude.formatted(style)), \(longitude.formatted(style))"
    }
}
