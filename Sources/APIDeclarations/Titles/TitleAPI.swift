package import APIContract
import JSONDocument
import MediaCore

/// The operations of the API for titles.
package enum TitleAPI {
    package static let listTitles = APIOperation(
        .get, "/api/v1/titles", "listTitles", "List or search titles",
        "Without `section`, `genre` and the orders price, rating and relevance, the list has the films of the library, those that cannot be played, too; `kind` asks for others. With one of them it has those that can be played, newest first, or a search's best first. 401 if lists are for members (`videoClub.listing` in channels.json).",
        parameters: [
            .limit, .cursor, .q, .titleSort,
            .query(
                Field<String>(
                    "section",
                    "featured: what the operator recommends; new: added lately; offers: for less than the regular price; free: for nothing",
                    .optional, .oneOf("featured", "new", "offers", "free"))),
            .query(
                Field<String>(
                    "genre", "genre of the titles, however its letters are written", .optional, .minimumLength(1),
                    .maximumLength(64))),
            .query(
                Field<String>(
                    "kind",
                    "film (the default), trailer (of another title), recording (or clip of a channel), member-video (sent by a member), or all; with `genre`, and with a `section` other than new, only film",
                    .optional, .oneOf("film", "trailer", "recording", "member-video", "all"))), .itemState,
        ], answer: .page(of: ListedTitleFields.self, "Titles")
    )
    .refusing(.invalidCursor)
    .failing(with: APIProblem(401, .credentialNeeded), APIProblem(422, .notValid))

    package static let ingestTitle = APIOperation(
        .post, "/api/v1/titles", "ingestTitle",
        "Ingest a file on the server's machine, a file from a URL, or the request body",
        "If the body is a file, the request needs Content-Length and a name, in `?name=` or in Content-Disposition; a form must contain exactly one file. An interrupted upload leaves nothing behind; /api/v1/uploads offers resumable uploads. A URL must have a public host unless the server allows private ones; the response is 202 with a Job, whose `resource` is the title once it exists.",
        parameters: [.idempotencyKey, .query(Field<String>("name", "name of the file in the body", .optional))],
        body: APIBody(
            APIContent("video/*", String.self, [.minimumLength(1), .format("binary")]),
            APIContent("audio/*", String.self, [.minimumLength(1), .format("binary")]),
            APIContent("application/octet-stream", String.self, [.minimumLength(1), .format("binary")]),
            APIContent("multipart/form-data", APIObject<FileFormFields>.self),
            APIContent(
                "application/json", JSONText.self,
                [
                    .schema(
                        .raw(
                            #"{"oneOf": [{"type": "object", "required": ["path"], "properties": {"path": {"type": "string", "pattern": "^/[^\\u0000]+$"}, "url": false}}, {"type": "object", "required": ["url"], "properties": {"url": {"type": "string", "pattern": "^https?://[A-Za-z0-9]", "maxLength": 2048}, "path": false}}]}"#
                        ))
                ])), answer: .object(TitleFields.self, "Ready: the title was known, or was ingested at once")
    )
    .or(
        APIAnswer(
            201, "The body is now a file of the library, at Location; `job` is its running or queued job",
            [.json(Either<APIObject<UploadedTitleFields>, APIObject<UploadedTrackFields>>.self)]),
        APIAnswer(
            202, "Queued",
            [
                .json(Either<APIObject<TitleFields>, Either<APIObject<TrackFields>, APIObject<JobFields>>>.self)
            ])
    )
    .refusing(.keyOfAnotherRequest)
    .failing(
        with: APIProblem(403, .readOnly), APIProblem(409, .requestInProgress), APIProblem(429, .tooManyRequests),
        APIProblem(507, .diskFull))

    package static let getTitle = APIOperation(
        .get, "/api/v1/titles/{id}", "getTitle", "A title", parameters: [.id],
        answer: .object(
            TitleFields.self, "The title; ETag changes with everything that the answer says",
            headers: [Field<String>("ETag")]))

    package static let uploadTitle = APIOperation(
        .put, "/api/v1/titles/{id}", "uploadTitle", "Upload a file under this name (`curl -T film.mp4 …/titles/`)",
        "Works like a POST of the file. It never replaces a title; the new title's id is in Location.",
        parameters: [.id],
        body: APIBody(APIContent("application/octet-stream", String.self, [.minimumLength(1), .format("binary")])),
        answer: .object(
            UploadedTitleFields.self,
            "The body is now a file of the library, at Location; `job` is its running or queued job", status: 201)
    )
    .failing(with: APIProblem(403, .readOnly), APIProblem(429, .tooManyRequests), APIProblem(507, .diskFull))

    package static let deleteTitle = APIOperation(
        .delete, "/api/v1/titles/{id}", "deleteTitle", "Delete a title: its file and everything derived from it",
        parameters: [.id], answer: .nothing("Deleted")
    )
    .failing(with: APIProblem(403, .readOnly))

    package static let setTitleEncryption = APIOperation(
        .patch, "/api/v1/titles/{id}", "setTitleEncryption", "Choose how a title is encrypted",
        "The body has either `encryption` or `encrypt`. 409 if this server has no folder for keys. 422 if the body has both or neither.",
        parameters: [.id, .ifMatchOfOwner], body: APIBody(.json(EncryptionChangeFields.self)),
        answer: .object(
            EncryptionStateFields.self, "The new state; ETag is that of the title", headers: [Field<String>("ETag")])
    )
    .failing(with: APIProblem(409, .conflict), APIProblem(422, .notValid))

    package static let getTitleDetails = APIOperation(
        .get, "/api/v1/titles/{id}/details", "getTitleDetails",
        "What people read about a title, and where it comes from", parameters: [.id],
        answer: .object(TitleDetailsFields.self, "The details; ETag is their version", headers: [Field<String>("ETag")])
    )

    package static let changeTitleDetails = APIOperation(
        .patch, "/api/v1/titles/{id}/details", "changeTitleDetails", "Change what people read about a title",
        "A JSON merge patch (RFC 7396): null takes a choice back, so that the notes beside the file (.nfo), its tags and its names decide. 428 without If-Match, 412 if somebody else has changed the details meanwhile.",
        parameters: [.id, .ifMatch], body: APIBody(.json(TitleDetailsChangeFields.self)),
        answer: .object(
            TitleDetailsFields.self, "The details after the change; ETag is their version",
            headers: [Field<String>("ETag")]))

    package static let setTitlePoster = APIOperation(
        .put, "/api/v1/titles/{id}/poster", "setTitlePoster", "Set a title's poster",
        "Uses the frame at a time, or an uploaded image. An uploaded image stays when the file is replaced; a time stays if the new file is long enough. 422 if there is no such frame or the image cannot be decoded; the poster is then unchanged.",
        parameters: [.id, .ifMatchOfOwner],
        body: APIBody(
            .json(PosterTimeFields.self),
            APIContent("image/jpeg", String.self, [.minimumLength(1), .maximumLength(16777216), .format("binary")]),
            APIContent("image/png", String.self, [.minimumLength(1), .maximumLength(16777216), .format("binary")])),
        answer: .object(TitleFields.self, "The title with its new poster")
    )
    .or(APIAnswer(202, "The title; the poster is set when the title is ready", [.json(TitleFields.self)]))
    .failing(with: APIProblem(429, .tooManyRequests))

    package static let resetTitlePoster = APIOperation(
        .delete, "/api/v1/titles/{id}/poster", "resetTitlePoster", "Let the server choose the poster again",
        parameters: [.id, .ifMatchOfOwner], answer: .object(TitleFields.self, "The title with its new poster")
    )
    .or(APIAnswer(202, "The title; the poster is chosen when the title is ready", [.json(TitleFields.self)]))
    .failing(with: APIProblem(422, .notValid), APIProblem(429, .tooManyRequests))

    package static let getTitleLadder = APIOperation(
        .get, "/api/v1/titles/{id}/transcode", "getTitleLadder", "A title's ladder and the progress of its encoding",
        parameters: [.id], answer: .object(LadderFields.self, "The ladder"))

    package static let makeTitleLadder = APIOperation(
        .post, "/api/v1/titles/{id}/transcode", "makeTitleLadder", "Encode an adaptive-bitrate ladder for a title",
        "No rendition exceeds the source in resolution, frame rate or bit rate. An interrupted job resumes after a restart. A new list of presets replaces the previous ladder when its encoding is complete. 422 if no preset suits the title.",
        parameters: [.idempotencyKey, .id], body: APIBody(.json(NewLadderFields.self)),
        answer: .object(LadderFields.self, "Being encoded, or complete already", status: 202)
    )
    .refusing(.keyOfAnotherRequest)
    .failing(with: APIProblem(409, .requestInProgress), APIProblem(429, .tooManyRequests))

    package static let deleteTitleLadder = APIOperation(
        .delete, "/api/v1/titles/{id}/transcode", "deleteTitleLadder",
        "Cancel the encoding of the ladder, or delete a complete ladder", parameters: [.id],
        answer: .object(LadderFields.self, "The ladder's new state"))
}
