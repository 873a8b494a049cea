import APIContract
import APIDeclarations
import Accounts
import Forum
import HTTPEndpoints
import Workflows

extension APIResources {
    /// The JSON of a category.
    ///
    /// - Parameter name: its name, or that of the channel or title.
    static func topicCategory(_ category: ForumCategory, name: String) -> APIObject<TopicCategoryFields> {
        TopicCategoryFields.object {
            [
                $0.id(category.id.text), $0.kind(category.kind.rawValue), $0.name(name), $0.text(category.text),
                $0.place(Int(category.place)), $0.topics(Int(category.topics)),
                $0.channel(category.kind == .channel ? category.subject : nil),
                $0.titleID(category.kind == .title ? category.subject : nil),
            ]
        }
    }

    /// The JSON of a topic.
    ///
    /// - Parameter category: the name of its category.
    static func topic(_ topic: ForumTopic, category: String) -> APIObject<TopicFields> {
        TopicFields.object {
            [
                $0.id(topic.id.text), $0.title(topic.title), $0.category(topicCategory(topic.category, name: category)),
                $0.author(topic.authorName),
                $0.authorPhoto(ResourcePaths.photo(ofMember: topic.authorName, topic.authorPhoto)),
                $0.state(topic.state == .shown ? "shown" : "hidden"), $0.locked(topic.isLocked),
                $0.pinned(topic.isPinned), $0.comments(Int(topic.comments)), $0.lastPlace(Int(topic.places)),
                $0.createdAt(time(topic.createdAt)), $0.lastCommentAt(time(topic.lastAt)),
                $0.editedAt(time(topic.editedAt)), $0.page(ResourcePaths.page(ofTopic: topic.id)),
            ]
        }
    }

    /// The JSON of a comment in a topic.
    static func topicComment(_ comment: ForumComment) -> APIObject<TopicCommentFields> {
        TopicCommentFields.object {
            [
                $0.id(comment.id.text), $0.topic(comment.topic.text), $0.topicTitle(comment.topicTitle),
                $0.place(Int(comment.place)), $0.author(comment.authorName),
                $0.authorPhoto(ResourcePaths.photo(ofMember: comment.authorName, comment.authorPhoto)),
                $0.text(comment.text), $0.cut(comment.isCut), $0.state(comment.state.rawValue),
                $0.muted(comment.isMuted), $0.writtenAt(time(comment.writtenAt)), $0.editedAt(time(comment.editedAt)),
                $0.page(ResourcePaths.page(ofTopicComment: comment.id)),
            ]
        }
    }

    /// The JSON of a member's choice of a part to follow.
    static func topicFollow(_ follow: ForumFollow) -> APIObject<TopicFollowFields> {
        TopicFollowFields.object {
            [
                $0.scope(follow.scope.rawValue), $0.id(follow.id?.text), $0.name(follow.name),
                $0.state(follow.isOn ? "following" : "silent"),
            ]
        }
    }
}
