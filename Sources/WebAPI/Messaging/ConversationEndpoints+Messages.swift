import APIContract
import APIDeclarations
import Accounts
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import JSONDocument
import MediaCore
import Messaging
import NIOCore

extension ConversationEndpoints {
    /// Limits of a message in the body of a request: its text in Unicode scalars, and the whole in bytes.
    private static let maximumTextLength = MessagingLimits.messageLength * 8
    private static let maximumByteCount = 1_024 * 1_024

    var messages: [Endpoint] {
        [
            Endpoint(ConversationAPI.listMessages, Self.own) { request, caller in
                let page = try PageRequest(request)
                let found = try await messaging.messages(
                    in: try Self.conversation(caller), for: caller.caller, after: page.cursor, limit: page.limit)
                return APIPage(found.items.map(APIResources.message), next: found.next).response()
            },
            Endpoint(ConversationAPI.listMessageChanges, Self.own) { request, caller in
                let limit = try PageRequest(request, defaultLimit: 100).limit
                let after = try PageRequest.number("after", in: request, 0...Int.max) ?? 0
                let found = try await messaging.changes(
                    in: try Self.conversation(caller), after: Int64(after), for: caller.caller, limit: limit)
                return MessageChangesFields.object {
                    [
                        $0.items(found.messages.map(APIResources.message)), $0.complete(found.isComplete),
                        $0.conversation(APIResources.conversation(found.conversation)),
                    ]
                }.response()
            },
            Endpoint(ConversationAPI.sendMessage, Self.own) { request, caller in
                let body = try await BodyFields(
                    request, NewMessageFields.self, maximumTextLength: Self.maximumTextLength,
                    maximumByteCount: Self.maximumByteCount)
                let new = NewMessage(clientID: try body.required(\.id), content: try Self.content(of: body))
                let sent = try await messaging.send(new, to: try Self.conversation(caller), by: caller.caller)
                return APIResources.message(sent.message).response(status: sent.isNew ? .created : .ok)
            },
            Endpoint(ConversationAPI.deleteMessage, Self.own) { request, caller in
                guard let sequence = Int64(try caller.parameters.require("sequence")), sequence > 0 else {
                    throw Refusal(.notFound, "there is no such message")
                }
                try await messaging.delete(
                    sequence, of: try Self.conversation(caller), forEverybody: try Self.isForEverybody(request),
                    by: caller.caller)
                return Response(status: .noContent)
            },
        ]
    }

    private static func content(of body: BodyFields<NewMessageFields>) throws -> MessageContent {
        let (text, contact) = (try body.text(\.text), try body.text(\.contact))
        switch (try body.number(\.latitude), try body.number(\.longitude), contact) {
        case (nil, nil, nil):
            guard let text else { throw Refusal.missing(["text"]) }
            return .text(text)
        case (let latitude?, let longitude?, nil):
            return .place(latitude: latitude, longitude: longitude, name: text ?? "")
        case (nil, nil, let contact?) where text == nil: return .contact(username: contact)
        default:
            throw ProblemDetails(
                .unprocessableContent,
                "a message is a text, a place with \"latitude\" and \"longitude\", or a \"contact\"")
        }
    }

    // MARK: Events

    func listen(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let user = try caller.caller.requireMember().id
        return try await RevisionEvents(name: "conversations", authority: authority).response(
            to: request, caller, of: user, mayListen: { $0.session != nil },
            begin: { try await messaging.stream(of: user) },
            news: { [messaging] seen, isFirst in
                if isFirst { try await messaging.noteSeen(user) }
                let changes = try await messaging.changes(of: user, after: seen)
                // A device that begins is told the numbers for its badges.
                guard isFirst || changes.revision > seen else { return nil }
                return RevisionEvents.News(
                    revision: changes.revision,
                    data: .object([
                        ("badges", APIResources.badges(try await messaging.badges(of: user)).json),
                        ("incomplete", .boolean(changes.isIncomplete)),
                        ("items", changes.conversations.map(APIResources.conversation).json),
                    ]))
            })
    }
}
