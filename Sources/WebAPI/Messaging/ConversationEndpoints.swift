import APIContract
import APIDeclarations
import Accounts
package import HTTPEndpoints
import HTTPTypes
import Hummingbird
import JSONDocument
import MediaCore
package import Messaging
import NIOCore
import Workflows

/// The conversations of a member, `/api/v1/me/conversations`. For sessions only.
package struct ConversationEndpoints: Sendable {
    let messaging: Messaging
    /// Finds out again and again whether a device that waits may still do so.
    let authority: RequestAuthority

    /// - Parameters:
    ///   - messaging: the conversations.
    ///   - authority: finds out whose device waits.
    package init(messaging: Messaging, authority: RequestAuthority) {
        (self.messaging, self.authority) = (messaging, authority)
    }

    static let own = AccessRule.member(.session, reason: "the caller's own conversations")

    package var endpoints: [Endpoint] { lists + one + members + messages }

    /// The object of a deletion.
    private enum Scope: String, CaseIterable {
        case me, everybody
    }

    static func isForEverybody(_ request: Request) throws -> Bool {
        let scope: Scope? = try PageRequest.choice("for", in: request)
        return scope == .everybody
    }

    static func conversation(_ caller: GatewayRequestContext) throws -> OpaqueID {
        try caller.parameters.identifier(of: "conversation")
    }

    private var lists: [Endpoint] {
        [
            Endpoint(ConversationAPI.listConversations, Self.own) { request, caller in
                let page = try PageRequest(request)
                let list: ConversationList? = try PageRequest.choice("list", in: request)
                let found = try await messaging.conversations(
                    list ?? .recent, of: caller.caller, after: page.cursor, limit: page.limit)
                return APIPage(found.items.map(APIResources.conversation), next: found.next).response()
            },
            Endpoint(ConversationAPI.openConversation, Self.own, handler: open),
            Endpoint(ConversationAPI.clearConversations, Self.own) { _, caller in
                try await messaging.clearAll(by: caller.caller)
                return Response(status: .noContent)
            },
            Endpoint(ConversationAPI.getMessagingBadges, Self.own) { _, caller in
                let member = try caller.caller.requireMember().id
                return APIResources.badges(try await messaging.badges(of: member)).response()
            },
            Endpoint(ConversationAPI.searchMessages, Self.own) { request, caller in
                let page = try PageRequest(request)
                let wanted = PageRequest.value(of: "conversation", in: request).flatMap { $0.isEmpty ? nil : $0 }
                let id = try wanted.map { text in
                    guard let id = OpaqueID(parsing: text) else {
                        throw Refusal(.notFound, "there is no such conversation")
                    }
                    return id
                }
                let found = try await messaging.search(
                    page.query ?? "", in: id, for: caller.caller, after: page.cursor, limit: page.limit)
                return APIPage(found.items.map(APIResources.message), next: found.next).response()
            },
            Endpoint(ConversationAPI.streamConversations, Self.own, handler: listen),
        ]
    }

    private func open(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let body = try await BodyFields(request, NewConversationFields.self, maximumByteCount: 64 * 1_024)
        let (other, name) = (try body.text(\.with), try body.text(\.groupName))
        let names = try body.elements(\.members, maximumCount: MessagingLimits.groupMemberCount - 1)
        let members = try names.map { node in
            guard let name = node.string else {
                throw Refusal(.invalidField, "the field `members` must be a list of usernames", field: "members")
            }
            return name
        }
        switch (other, name) {
        case (let other?, nil):
            return APIResources.conversation(try await messaging.open(with: other, by: caller.caller))
                .response(status: .created)
        case (nil, let name?):
            return APIResources.conversation(
                try await messaging.makeGroup(name, members: members, by: caller.caller)
            ).response(status: .created)
        case (nil, nil): throw Refusal.missing(["with"])
        case (_?, _?): throw ProblemDetails(.unprocessableContent, "\"with\" and \"name\" cannot be combined")
        }
    }

    private var one: [Endpoint] {
        [
            Endpoint(ConversationAPI.getConversation, Self.own) { _, caller in
                APIResources.conversation(
                    try await messaging.conversation(try Self.conversation(caller), for: caller.caller)
                ).response()
            },
            Endpoint(ConversationAPI.changeConversation, Self.own) { request, caller in
                let body = try await BodyFields(request, ConversationChangeFields.self)
                let id = try Self.conversation(caller)
                var changed = try await messaging.conversation(id, for: caller.caller)
                if let name = try body.text(\.groupName) {
                    changed = try await messaging.rename(id, name, by: caller.caller)
                }
                if let isMuted = try body.flag(\.muted) {
                    changed = try await messaging.setMuted(isMuted, id, by: caller.caller)
                }
                return APIResources.conversation(changed).response()
            },
            Endpoint(ConversationAPI.deleteConversation, Self.own) { request, caller in
                let (id, isForEverybody) = (try Self.conversation(caller), try Self.isForEverybody(request))
                if isForEverybody {
                    try await messaging.deleteGroup(id, by: caller.caller)
                } else {
                    try await messaging.clear(id, by: caller.caller)
                }
                return Response(status: .noContent)
            },
            Endpoint(ConversationAPI.answerConversation, Self.own) { request, caller in
                let body = try await BodyFields(request, MessagingAnswerFields.self)
                let id = try Self.conversation(caller)
                guard let accepts = try body.flag(\.accept) else { throw Refusal.missing(["accept"]) }
                try await messaging.answerRequest(id, accepts: accepts, by: caller.caller)
                return Response(status: .noContent)
            },
            Endpoint(ConversationAPI.markConversation, Self.own) { request, caller in
                let body = try await BodyFields(request, ConversationMarksFields.self)
                let id = try Self.conversation(caller)
                let (delivered, read) = (try Self.mark(\.delivered, body), try Self.mark(\.read, body))
                let marked = try await messaging.mark(delivered: delivered, read: read, id, by: caller.caller)
                return APIResources.conversation(marked).response()
            },
        ]
    }

    private static func mark(
        _ field: KeyPath<ConversationMarksFields, Field<Int>>, _ body: BodyFields<ConversationMarksFields>
    ) throws -> Int64? {
        guard let number = try body.integer(field) else { return nil }
        guard number >= 0 else {
            let name = ConversationMarksFields.fields[keyPath: field].name
            throw Refusal(.invalidField, "the field `\(name)` must not be negative", field: name)
        }
        return Int64(number)
    }

    private var members: [Endpoint] {
        [
            Endpoint(ConversationAPI.listConversationMembers, Self.own) { _, caller in
                let found = try await messaging.members(of: try Self.conversation(caller), for: caller.caller)
                return APIPage(found.map(APIResources.member)).response()
            },
            Endpoint(ConversationAPI.addConversationMember, Self.own) { _, caller in
                try await messaging.add(
                    try caller.parameters.require("member"), to: try Self.conversation(caller), by: caller.caller)
                return Response(status: .noContent)
            },
            Endpoint(ConversationAPI.changeConversationMember, Self.own) { request, caller in
                let body = try await BodyFields(request, ConversationMemberChangeFields.self)
                guard let isAdmin = try body.flag(\.admin) else { throw Refusal.missing(["admin"]) }
                try await messaging.setRole(
                    isAdmin ? .admin : .member, of: try caller.parameters.require("member"),
                    in: try Self.conversation(caller), by: caller.caller)
                return Response(status: .noContent)
            },
            Endpoint(ConversationAPI.removeConversationMember, Self.own) { _, caller in
                try await messaging.remove(
                    try caller.parameters.require("member"), from: try Self.conversation(caller), by: caller.caller)
                return Response(status: .noContent)
            },
        ]
    }
}
