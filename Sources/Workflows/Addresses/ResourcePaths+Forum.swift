package import Accounts

extension ResourcePaths {
    /// The page of the forum.
    package static let forum = "\(community)/foro"
    /// The prefix of the paths of topics' pages.
    package static let topics = "\(forum)/tema/"

    package static func page(ofTopic id: OpaqueID) -> String { "\(topics)\(id)" }

    /// The path that leads to a comment on the page of its topic.
    package static func page(ofTopicComment id: OpaqueID) -> String { "\(forum)/comentario/\(id)" }
}
