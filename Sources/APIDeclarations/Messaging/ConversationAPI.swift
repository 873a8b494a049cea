package import APIContract
import JSONDocument
import MediaCore

/// The operations of the API for conversations. They are for sessions only; tokens get 403.
package enum ConversationAPI {
    package static let listConversations = APIOperation(
        .get, "/api/v1/me/conversations", "listConversations", "The sender's conversations",
        "`recent` has those with messages, the one with the last message first; `requests` the first messages of strangers; `all` every conversation, the newest first.",
        parameters: [
            .cursor, .limit,
            .query(
                Field<String>(
                    "list", "list of conversations", .optional, .oneOf("recent", "requests", "all"),
                    .standard(.string("recent")))),
        ], answer: .page(of: ConversationFields.self, "Conversations")
    )
    .refusing(.invalidCursor)

    package static let openConversation = APIOperation(
        .post, "/api/v1/me/conversations", "openConversation", "Open a conversation of two, or make a group",
        "With `with`, the one conversation of the two, which is made if there is none; the other one sees nothing of it before the first message. With `name`, a new group of the sender and `members`, who must be contacts (403).",
        body: APIBody(.json(NewConversationFields.self)),
        answer: .object(ConversationFields.self, "The conversation", status: 201)
    )
    .refusing(.notFound, .missingFields, .conflict, .tooMany, .tooManyAttempts)

    package static let clearConversations = APIOperation(
        .delete, "/api/v1/me/conversations", "clearConversations",
        "Delete the messages of all recent conversations, for the sender alone", answer: .nothing("Deleted"))

    package static let getMessagingBadges = APIOperation(
        .get, "/api/v1/me/conversations/badges", "getMessagingBadges", "Numbers for badges",
        answer: .object(MessagingBadgesFields.self, "Numbers"))

    package static let searchMessages = APIOperation(
        .get, "/api/v1/me/conversations/search", "searchMessages",
        "Messages of the sender's conversations that contain words, the last ones first",
        parameters: [
            .cursor, .limit, .q,
            .query(
                Field<String>(
                    "conversation", "ID of the only conversation that is searched; 404 if it is not the sender's",
                    .optional, .maximumLength(100))),
        ], answer: .page(of: MessageFields.self, "Messages")
    )
    .refusing(.invalidCursor, .notFound)

    package static let streamConversations = APIOperation(
        .get, "/api/v1/me/conversations/events", "streamConversations",
        "Changes of the sender's conversations, as server-sent events",
        "The stream does not end. Events are named `conversations`; `data` is a JSON object with the `badges`, the `items` (conversations in which something has changed), and `incomplete`, which is true if there are too many to list. What has changed in one is read from its `changes`. A client that sends the `id` of the last event in Last-Event-ID is told of all that has changed since. While it listens, the sender is online. 503 if too many devices listen.",
        parameters: [
            .header(
                Field<String>(
                    "Last-Event-ID", "`id` of the last event that the client has seen", .optional,
                    .pattern("^[0-9]{1,18}$")))
        ], answer: .content("Events", APIContent("text/event-stream", String.self))
    )
    .failing(with: APIProblem(422, .notValid))

    package static let getConversation = APIOperation(
        .get, "/api/v1/me/conversations/{id}", "getConversation", "A conversation of the sender", parameters: [.id],
        answer: .object(ConversationFields.self, "The conversation"))

    package static let changeConversation = APIOperation(
        .patch, "/api/v1/me/conversations/{id}", "changeConversation", "Rename a group, or mute a conversation",
        "Only an admin renames (403). 409 for the name of a conversation of two.", parameters: [.id],
        body: APIBody(.json(ConversationChangeFields.self)),
        answer: .object(ConversationFields.self, "The conversation")
    )
    .refusing(.conflict, .tooManyAttempts)

    private static let scope = APIParameter.query(
        Field<String>(
            "for", "whether it is deleted for the sender alone, or for everybody", .optional,
            .oneOf("me", "everybody"), .standard(.string("me"))))

    package static let deleteConversation = APIOperation(
        .delete, "/api/v1/me/conversations/{id}", "deleteConversation",
        "Delete the messages of a conversation for the sender, or a group for everybody",
        "Only an admin deletes a group for everybody (403); 409 for a conversation of two.", parameters: [.id, scope],
        answer: .nothing("Deleted")
    )
    .refusing(.conflict)

    package static let answerConversation = APIOperation(
        .post, "/api/v1/me/conversations/{id}/answer", "answerConversation",
        "Accept or refuse what a stranger has written",
        "The stranger is not told. An answer by a message accepts it as well. 409 if it is not waiting for an answer.",
        parameters: [.id], body: APIBody(.json(MessagingAnswerFields.self)), answer: .nothing("Answered")
    )
    .refusing(.missingFields, .conflict)

    package static let markConversation = APIOperation(
        .put, "/api/v1/me/conversations/{id}/marks", "markConversation",
        "Tell up to where the sender has received and read", "Marks never fall.", parameters: [.id],
        body: APIBody(.json(ConversationMarksFields.self)),
        answer: .object(ConversationFields.self, "The conversation"))

    // MARK: Members

    private static let member = APIParameter.path(
        Field<String>("member", "username of the member of the group", .minimumLength(1)))

    package static let listConversationMembers = APIOperation(
        .get, "/api/v1/me/conversations/{id}/members", "listConversationMembers",
        "The members of a conversation, by name", "All of them, at most 256; `next` is always null.",
        parameters: [.id], answer: .page(of: ConversationMemberFields.self, "Members"))

    package static let addConversationMember = APIOperation(
        .put, "/api/v1/me/conversations/{id}/members/{member}", "addConversationMember",
        "Add a contact of the sender to a group, as an admin",
        "They read what is written from now on. 403 for somebody who is not a contact; 409 for a full group.",
        parameters: [.id, member], answer: .nothing("Added")
    )
    .refusing(.conflict, .tooMany, .tooManyAttempts)

    package static let changeConversationMember = APIOperation(
        .patch, "/api/v1/me/conversations/{id}/members/{member}", "changeConversationMember",
        "Make a member of a group an admin, or end it", "As an admin. 409 for the last one.",
        parameters: [.id, member], body: APIBody(.json(ConversationMemberChangeFields.self)),
        answer: .nothing("Changed")
    )
    .refusing(.missingFields, .conflict)

    package static let removeConversationMember = APIOperation(
        .delete, "/api/v1/me/conversations/{id}/members/{member}", "removeConversationMember",
        "Remove a member from a group as an admin, or leave it with one's own name",
        "Who has left can read nothing of the group any more.", parameters: [.id, member],
        answer: .nothing("Removed")
    )
    .refusing(.conflict)

    // MARK: Messages

    package static let listMessages = APIOperation(
        .get, "/api/v1/me/conversations/{id}/messages", "listMessages",
        "The messages of a conversation, the last ones first", parameters: [.id, .cursor, .limit],
        answer: .page(of: MessageFields.self, "Messages")
    )
    .refusing(.invalidCursor)

    package static let listMessageChanges = APIOperation(
        .get, "/api/v1/me/conversations/{id}/changes", "listMessageChanges",
        "Messages that are new or have changed after a change, in the order of the changes",
        "A client that has lost its connection asks with the last `change` that it knows, and misses nothing.",
        parameters: [
            .id, .limit,
            .query(
                Field<Int>(
                    "after", "number of the last change that the client knows", .optional, .minimum(0),
                    .standard(.integer(0)))),
        ], answer: .object(MessageChangesFields.self, "Changes"))

    package static let sendMessage = APIOperation(
        .post, "/api/v1/me/conversations/{id}/messages", "sendMessage", "Send a message",
        "It is stored when the answer comes: 201, or 200 if the same message was sent before with the same `id`. 60 messages a minute, then 429. 409 if another message has the `id`, if the other one's account was deleted, and after three messages to somebody who is not a contact and has not answered; 403 if the other one blocks the sender.",
        parameters: [.id], body: APIBody(.json(NewMessageFields.self)),
        answer: .object(MessageFields.self, "The message", status: 201)
    )
    .or(APIAnswer(200, "The message that was sent before", [.json(MessageFields.self)]))
    .refusing(.missingFields, .conflict, .tooManyAttempts)

    package static let deleteMessage = APIOperation(
        .delete, "/api/v1/me/conversations/{id}/messages/{sequence}", "deleteMessage",
        "Delete a message for the sender of the request, or one's own for everybody",
        parameters: [
            .id, .path(Field<Int>("sequence", "position of the message in the conversation", .minimum(1))), scope,
        ], answer: .nothing("Deleted"))
}
