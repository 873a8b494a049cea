package import APIContract
import MediaCore

/// The operations of the API for media access.
package enum MediaAccessAPI {
    package static let getTitleAudience = APIOperation(
        .get, "/api/v1/titles/{id}/audience", "getTitleAudience", "Who may watch a title", parameters: [.id],
        answer: .object(ItemAudienceFields.self, "The audience; ETag is its version", headers: [Field<String>("ETag")]))

    package static let setTitleAudience = APIOperation(
        .patch, "/api/v1/titles/{id}/audience", "setTitleAudience", "Set who may watch a title",
        "What the body does not have stays as it is. The audience of a title goes before that of its section. 428 without If-Match, 412 if somebody else has changed the audience meanwhile.",
        parameters: [.id, .ifMatch], body: APIBody(.json(ItemAudienceChangeFields.self)),
        answer: .object(ItemAudienceFields.self, "The audience; ETag is its version", headers: [Field<String>("ETag")])
    )
    .refusing(.tooMany, .missingFields)

    package static let getTrackAudience = APIOperation(
        .get, "/api/v1/tracks/{id}/audience", "getTrackAudience", "Who may watch a track", parameters: [.id],
        answer: .object(ItemAudienceFields.self, "The audience; ETag is its version", headers: [Field<String>("ETag")]))

    package static let setTrackAudience = APIOperation(
        .patch, "/api/v1/tracks/{id}/audience", "setTrackAudience", "Set who may watch a track",
        "What the body does not have stays as it is. The audience of a track goes before that of its section. 428 without If-Match, 412 if somebody else has changed the audience meanwhile.",
        parameters: [.id, .ifMatch], body: APIBody(.json(ItemAudienceChangeFields.self)),
        answer: .object(ItemAudienceFields.self, "The audience; ETag is its version", headers: [Field<String>("ETag")])
    )
    .refusing(.tooMany, .missingFields)

    package static let listPublishLinks = APIOperation(
        .get, "/api/v1/channels/{name}/publish-links", "listPublishLinks",
        "Links with which one publisher pushes to the channel, newest first", parameters: [.channel, .cursor, .limit],
        answer: .page(of: PublishLinkFields.self, "A page")
    )
    .refusing(.invalidCursor)

    package static let createPublishLink = APIOperation(
        .post, "/api/v1/channels/{name}/publish-links", "createPublishLink",
        "Create a link with which one publisher pushes to the channel",
        "The first publisher uses it up; its address may come back until the link ends. The secret is shown once.",
        parameters: [.idempotencyKey, .channel], body: APIBody(.json(NewPublishLinkFields.self)),
        answer: .object(PublishLinkFields.self, "The link", status: 201)
    )
    .refusing(.tooMany, .keyOfAnotherRequest)
    .failing(with: APIProblem(409, .requestInProgress))

    package static let deletePublishLink = APIOperation(
        .delete, "/api/v1/channels/{name}/publish-links/{id}", "deletePublishLink", "End a link for publishers",
        parameters: [.channel, .id], answer: .nothing("Nobody begins to push with it any more"))

    package static let listLinks = APIOperation(
        .get, "/api/v1/links", "listLinks", "Links to media, newest first, with those that ended less than 30 days ago",
        parameters: [.cursor, .limit], answer: .page(of: MediaLinkFields.self, "Links")
    )
    .refusing(.invalidCursor)

    package static let createLink = APIOperation(
        .post, "/api/v1/links", "createLink",
        "Make a link with which anybody can watch a channel, title or track until a time",
        parameters: [.idempotencyKey], body: APIBody(.json(NewMediaLinkFields.self)),
        answer: .object(MediaLinkFields.self, "The link", status: 201)
    )
    .refusing(.tooMany, .missingFields, .keyOfAnotherRequest)
    .failing(with: APIProblem(409, .requestInProgress))

    package static let deleteLink = APIOperation(
        .delete, "/api/v1/links/{id}", "deleteLink", "End a link", parameters: [.id],
        answer: .nothing("Nobody can watch with the link any more; proxies that do not ask may have copies"))

    package static let authorize = APIOperation(
        .get, "/api/v1/authorize", "authorize",
        "Whether the sender may watch what an address leads to, for reverse proxies that keep media",
        parameters: [
            .header(
                Field<String>(
                    "X-Original-URI",
                    "the address that the client has requested, as it was written; X-Forwarded-Uri is accepted instead, and both together are refused",
                    .maximumLength(2048)))
        ],
        answer: .nothing(
            "The sender may watch it. An answer that may be cached is about what is for everyone",
            headers: [
                Field<String>(
                    "X-Antena-Media",
                    "The path and the parameters on which the media depends, in one spelling and without the signature: the key for copies"
                )
            ])
    )
    .failing(
        with: APIProblem(400, .badRequest), APIProblem(401, .credentialNeeded), APIProblem(403, .notAllowed),
        APIProblem(403, .rentalNeeded), APIProblem(403, .rentalNotActivated), APIProblem(403, .rentalOver),
        APIProblem(403, .tooManyPlayers), APIProblem(404, .notFound))
}
