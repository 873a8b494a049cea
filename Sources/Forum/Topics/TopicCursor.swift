import MediaCore

/// A place in a list of topics, and the direction in which the list is read from it.
struct TopicCursor: Sendable, Hashable {
    /// Towards the topics that have been silent for longest.
    var isForward: Bool
    /// 1 for a topic that is in front of others.
    var isPinned: Int64
    var lastAt: Int64
    var number: Int64

    private static let list = "topics"

    init(isForward: Bool, of topic: ForumTopic) {
        self.isForward = isForward
        isPinned = topic.isPinned ? 1 : 0
        (lastAt, number) = (topic.lastAt.millisecondsSince1970, topic.number)
    }

    /// - Throws: `Refusal` with `invalidCursor`.
    init(parsing text: String) throws(Refusal) {
        let place = try ListCursor(parsing: text, of: Self.list, keyCount: 4)
        let direction = try place.number(0)
        guard direction == 0 || direction == 1 else { throw .invalidCursor }
        isForward = direction == 1
        (isPinned, lastAt, number) = (try place.number(1), try place.number(2), try place.number(3))
    }

    var text: String { ListCursor(Self.list, ["\(isForward ? 1 : 0)", "\(isPinned)", "\(lastAt)", "\(number)"]).text }
}
