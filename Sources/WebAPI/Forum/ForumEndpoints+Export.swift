import APIContract
import APIDeclarations
import Accounts
import Forum
import HTTPEndpoints
import JSONDocument
import Workflows

extension ForumEndpoints {
    /// The forum's data about a member.
    package func export(of member: ExportedMember) async throws -> [ExportChapter] {
        let written = try await forum.written(by: member.account.id)
        var topics: [JSONText] = []
        for topic in written.topics {
            topics.append(APIResources.topic(topic, category: try await viewing.name(of: topic.category)).json)
        }
        let all = JSONText.object([
            ("topics", .array(topics)),
            ("comments", .array(written.comments.map { APIResources.topicComment($0).json })),
            ("follows", .array(written.follows.map { APIResources.topicFollow($0).json })),
            ("acceptedRules", .boolean(written.hasAccepted)),
        ])
        return [ExportChapter([.both(name: "forum", all)], text: "forum")]
    }
}
