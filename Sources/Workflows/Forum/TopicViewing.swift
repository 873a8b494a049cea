package import Accounts
import Catalogue
package import Community
package import Forum
package import HTTPEndpoints
import LiveChannels
package import MediaCore

/// The forum as API and site show it: who may read which topics, and what categories are called.
///
/// Topics about a channel or a title are for those who may watch it.
package struct TopicViewing: Sendable {
    package let forum: Forum
    package let community: Community
    private let content: any ContentSource

    /// - Parameters:
    ///   - forum: the topics.
    ///   - community: takes the reports.
    ///   - content: the channels and titles that topics are about.
    package init(_ forum: Forum, community: Community, content: any ContentSource) {
        (self.forum, self.community, self.content) = (forum, community, content)
    }

    /// Whether the caller moderates the forum.
    package static func isModerator(_ caller: GatewayRequestContext) -> Bool { caller.may(.moderate, .reports) }

    /// - Throws: `ProblemDetails` with 401 or 403 for somebody who may not comment, such as a token for something else.
    package static func requireTakingPart(_ caller: GatewayRequestContext) throws {
        try caller.require(.comment, .title())
    }

    /// - Throws: `Refusal` with `notFound` for topics about something that the caller may not watch.
    package func require(_ category: ForumCategory, _ caller: GatewayRequestContext) throws(Refusal) {
        guard mayRead(category, caller) else { throw Refusal(.notFound, "there is no such topic") }
    }

    private func mayRead(_ category: ForumCategory, _ caller: GatewayRequestContext) -> Bool {
        switch category.kind {
        case .general: true
        case .channel: caller.mayWatch(channel: category.subject)
        case .title: caller.may(.read, caller.identity.audiences.title(id: category.subject))
        }
    }

    /// A topic that the caller may read.
    ///
    /// - Throws: `Refusal` with `notFound`.
    package func topic(_ id: OpaqueID, _ caller: GatewayRequestContext) async throws -> ForumTopic {
        let topic = try await forum.topic(id, for: caller.caller, isModerator: Self.isModerator(caller))
        try require(topic.category, caller)
        return topic
    }

    /// A comment that the caller may read, with its topic.
    ///
    /// - Throws: `Refusal` with `notFound`.
    package func comment(
        _ id: OpaqueID, _ caller: GatewayRequestContext
    ) async throws -> (comment: ForumComment, topic: ForumTopic) {
        let found = try await forum.comment(id, for: caller.caller, isModerator: Self.isModerator(caller))
        try require(found.topic.category, caller)
        return found
    }

    /// The category that a request names.
    ///
    /// - Parameters:
    ///   - id: the ID of a category.
    ///   - channel: the name of a channel.
    ///   - title: the ID of a title.
    ///   - creates: whether the place for topics about the channel or title is made if there is none.
    ///   - caller: the reader.
    /// - Returns: `nil` if the request names none, or if there are no topics about the channel or title.
    /// - Throws: `Refusal` with `notFound` for what the caller may not see, or `invalidField` for more than one.
    package func category(
        id: String?, channel: String?, title: String?, creates: Bool, _ caller: GatewayRequestContext
    ) async throws -> ForumCategory? {
        guard [id, channel, title].compactMap(\.self).count < 2 else {
            throw Refusal(.invalidField, "name one of `category`, `channel` and `titleID`", field: "category")
        }
        if let id {
            guard let id = OpaqueID(parsing: id) else {
                throw Refusal(.notFound, "there is no such category", field: "category")
            }
            let category = try await forum.category(id)
            try require(category, caller)
            return category
        }
        if let channel {
            guard content.channel(named: channel) != nil, caller.mayWatch(channel: channel) else {
                throw Refusal(.notFound, "there is no such channel", field: "channel")
            }
            return try await place(.channel, channel, creates: creates)
        }
        guard let title else { return nil }
        guard caller.may(.read, caller.identity.audiences.title(id: title)), try await content.title(id: title) != nil
        else { throw Refusal(.notFound, "there is no such title", field: "titleID") }
        return try await place(.title, title, creates: creates)
    }

    private func place(_ kind: ForumCategory.Kind, _ subject: String, creates: Bool) async throws -> ForumCategory? {
        creates ? try await forum.requireCategory(kind, subject) : try await forum.category(kind, subject)
    }

    /// The name of a category: that of the operators, or that of the channel or title.
    package func name(of category: ForumCategory) async throws -> String {
        switch category.kind {
        case .general: category.name
        case .channel: content.channel(named: category.subject)?.title ?? category.subject
        case .title: try await content.title(id: category.subject)?.title ?? category.subject
        }
    }
}
