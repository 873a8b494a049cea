package import APIContract
import JSONDocument
import MediaCore

/// The operations of the API for the forum.
package enum ForumAPI {
    private static let category = APIParameter.query(
        Field<String>("category", "ID of a category; only its topics, the pinned ones first", .optional))

    package static let listTopicCategories = APIOperation(
        .get, "/api/v1/topics/categories", "listTopicCategories", "Categories of the forum",
        "Those of the operators, at most 200; `next` is always null.",
        answer: .page(of: TopicCategoryFields.self, "Categories"))

    package static let createTopicCategory = APIOperation(
        .post, "/api/v1/topics/categories", "createTopicCategory", "Make a category of the forum",
        "`name` is required. 409 for a name that exists.", body: APIBody(.json(TopicCategoryChangeFields.self)),
        answer: .object(TopicCategoryFields.self, "The category", status: 201)
    )
    .refusing(.conflict, .missingFields, .tooMany)

    package static let changeTopicCategory = APIOperation(
        .patch, "/api/v1/topics/categories/{id}", "changeTopicCategory", "Change a category of the forum",
        parameters: [.id], body: APIBody(.json(TopicCategoryChangeFields.self)),
        answer: .object(TopicCategoryFields.self, "The category")
    )
    .refusing(.conflict)

    package static let deleteTopicCategory = APIOperation(
        .delete, "/api/v1/topics/categories/{id}", "deleteTopicCategory", "Delete a category of the forum",
        "409 while it has topics.", parameters: [.id], answer: .nothing("Deleted")
    )
    .refusing(.conflict)

    package static let listTopics = APIOperation(
        .get, "/api/v1/topics", "listTopics", "Topics, the ones with the last comments first",
        "50 a page unless `limit` says otherwise. Without `category`, `channel` and `titleID`, the topics of all categories of the operators. `from=end` begins with the topics that have been silent for longest.",
        parameters: [
            category, .query(Field<String>("channel", "name of a channel; only topics about it", .optional)),
            .query(Field<String>("titleID", "ID of a title; only topics about it", .optional)), .cursor, .limit,
            .query(
                Field<String>(
                    "from", "end of the list at which the first page is", .optional, .oneOf("start", "end"),
                    .standard(.string("start")))),
        ], answer: .page(of: TopicFields.self, "Topics")
    )
    .refusing(.invalidCursor)

    package static let createTopic = APIOperation(
        .post, "/api/v1/topics", "createTopic", "Begin a topic with its first comment",
        "409 if the sender has not accepted the rules, or if the category has a topic with this title: `topic` and `topicTitle` name it. Titles are compared without case and accents.",
        body: APIBody(.json(NewTopicFields.self)), answer: .object(TopicFields.self, "The topic", status: 201)
    )
    .refusing(.conflict, .emptyField, .tooManyAttempts)

    package static let searchTopics = APIOperation(
        .get, "/api/v1/topics/search", "searchTopics", "Comments with some words, the last ones first",
        "The words of a title are those of the topic's first comment, too.",
        parameters: [category, .q, .cursor, .limit], answer: .page(of: TopicCommentFields.self, "Comments")
    )
    .refusing(.invalidCursor)

    package static let getTopic = APIOperation(
        .get, "/api/v1/topics/{id}", "getTopic", "A topic", parameters: [.id],
        answer: .object(TopicFields.self, "The topic"))

    package static let changeTopic = APIOperation(
        .patch, "/api/v1/topics/{id}", "changeTopic", "Change the title of a topic, or lock, pin or move it",
        "The author changes the title; moderators all.", parameters: [.id],
        body: APIBody(.json(TopicChangeFields.self)), answer: .object(TopicFields.self, "The topic")
    )
    .refusing(.conflict, .emptyField)

    package static let deleteTopic = APIOperation(
        .delete, "/api/v1/topics/{id}", "deleteTopic", "Delete a topic with its comments",
        "Moderators delete any; an author one in which nobody else has commented, otherwise 409.", parameters: [.id],
        answer: .nothing("Deleted")
    )
    .refusing(.conflict)

    package static let listTopicComments = APIOperation(
        .get, "/api/v1/topics/{id}/comments", "listTopicComments",
        "Comments of a topic, in the order in which they were written",
        "Each has a place that never changes, so that any page can be read at once: `page` is the page of `limit` comments, from 1.",
        parameters: [
            .id, .cursor, .limit,
            .query(
                Field<Int>(
                    "page", "number of the page, in place of a cursor", .optional, .minimum(1), .maximum(1_000_000_000))
            ),
        ], answer: .page(of: TopicCommentFields.self, "Comments")
    )
    .refusing(.invalidCursor)

    package static let addTopicComment = APIOperation(
        .post, "/api/v1/topics/{id}/comments", "addTopicComment", "Comment in a topic",
        "409 if the topic is locked, or if the sender has not accepted the rules.", parameters: [.id],
        body: APIBody(.json(NewTopicCommentFields.self)),
        answer: .object(TopicCommentFields.self, "The comment", status: 201)
    )
    .refusing(.conflict, .emptyField, .tooManyAttempts)

    package static let getTopicComment = APIOperation(
        .get, "/api/v1/topics/comments/{id}", "getTopicComment", "A comment with its whole text", parameters: [.id],
        answer: .object(TopicCommentFields.self, "The comment"))

    package static let changeTopicComment = APIOperation(
        .patch, "/api/v1/topics/comments/{id}", "changeTopicComment", "Change one's own comment",
        "It is shown as changed.", parameters: [.id], body: APIBody(.json(TopicCommentChangeFields.self)),
        answer: .object(TopicCommentFields.self, "The comment")
    )
    .refusing(.conflict, .emptyField)

    package static let deleteTopicComment = APIOperation(
        .delete, "/api/v1/topics/comments/{id}", "deleteTopicComment", "Delete a comment",
        "One's own; moderators delete any. It keeps its place. 409 for the first comment, which goes with its topic.",
        parameters: [.id], answer: .nothing("Deleted")
    )
    .refusing(.conflict)

    package static let reportTopicComment = APIOperation(
        .put, "/api/v1/topics/comments/{id}/report", "reportTopicComment", "Report a comment of the forum",
        "Once for each member. With the report that reaches the threshold the comment is hidden until a moderator has decided, and with a first comment its topic.",
        parameters: [.id], body: APIBody(.json(ReportFields.self)), answer: .nothing("Reported")
    )
    .refusing(.conflict, .missingFields, .tooManyAttempts)

    package static let withdrawTopicCommentReport = APIOperation(
        .delete, "/api/v1/topics/comments/{id}/report", "withdrawTopicCommentReport",
        "Take back one's report of a comment of the forum", "While nobody has decided about it.", parameters: [.id],
        answer: .nothing("Taken back"))

    package static let appealTopicComment = APIOperation(
        .post, "/api/v1/topics/comments/{id}/appeal", "appealTopicComment",
        "Say something against the decision to hide one's own comment of the forum", "Once.", parameters: [.id],
        body: APIBody(.json(AppealFields.self)), answer: .nothing("The moderators will look at it again")
    )
    .refusing(.conflict, .missingFields)

    package static let listTopicFollows = APIOperation(
        .get, "/api/v1/topics/follows", "listTopicFollows", "What the sender follows in the forum",
        "All of it, the whole forum first; `next` is always null.",
        answer: .page(of: TopicFollowFields.self, "Followed categories and topics"))

    package static let followTopics = APIOperation(
        .put, "/api/v1/topics/follow", "followTopics", "Follow the whole forum, or hear nothing of it",
        "A choice for a category or topic counts more.", body: APIBody(.json(TopicFollowChangeFields.self)),
        answer: .nothing("Noted")
    )
    .refusing(.missingFields, .tooMany)

    package static let followTopicCategory = APIOperation(
        .put, "/api/v1/topics/categories/{id}/follow", "followTopicCategory",
        "Follow a category of the forum, or hear nothing of it", parameters: [.id],
        body: APIBody(.json(TopicFollowChangeFields.self)), answer: .nothing("Noted")
    )
    .refusing(.missingFields, .tooMany)

    package static let followTopic = APIOperation(
        .put, "/api/v1/topics/{id}/follow", "followTopic", "Follow a topic, or hear nothing of it", parameters: [.id],
        body: APIBody(.json(TopicFollowChangeFields.self)), answer: .nothing("Noted")
    )
    .refusing(.missingFields, .tooMany)

    package static let getTopicRules = APIOperation(
        .get, "/api/v1/topics/rules", "getTopicRules", "The rules of the forum",
        parameters: [
            .query(
                Field<String>(
                    "language", "language, such as es; that of Accept-Language if missing", .optional,
                    .maximumLength(35)))
        ], answer: .object(TopicRulesFields.self, "The rules"))

    package static let setTopicRules = APIOperation(
        .put, "/api/v1/topics/rules", "setTopicRules", "Write the rules of the forum in a language",
        body: APIBody(.json(TopicRulesChangeFields.self)), answer: .object(TopicRulesFields.self, "The rules")
    )
    .refusing(.missingFields)

    package static let acceptTopicRules = APIOperation(
        .put, "/api/v1/topics/rules/acceptance", "acceptTopicRules", "Accept the rules of the forum",
        "Each member does so once, before the first comment.", answer: .nothing("Accepted"))
}
