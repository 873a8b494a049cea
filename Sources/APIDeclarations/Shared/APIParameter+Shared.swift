package import APIContract
import JSONDocument

extension APIParameter {
    package static let member = APIParameter(
        .path, Field<String>("name", "username of the member", .minimumLength(1)), sharedAs: "member")

    package static let copyRendition = APIParameter(
        .path, Field<String>("rendition", "name of the rendition that the copy has"), sharedAs: "copyRendition")

    package static let configuredChannel = APIParameter(
        .path, Field<String>("name", "name of the channel", .pattern("^[A-Za-z0-9_-]{1,64}$")),
        sharedAs: "configuredChannel")

    package static let ifMatch = APIParameter(
        .header,
        Field<String>(
            "If-Match",
            "The ETag of the version that the client has read, so that concurrent changes are not lost; * for any version. Without it the answer is 428.",
            .pattern(#"^(\*|"[!#-~]*")$"#)), sharedAs: "ifMatch")

    package static let ifMatchIfSent = APIParameter(
        .header,
        Field<String>(
            "If-Match",
            "The ETag of the version that the client has read: 412 if it has changed. Without it the value is replaced, whatever it was.",
            .optional, .pattern(#"^(\*|"[!#-~]*")$"#)), sharedAs: "ifMatchIfSent")

    package static let ifMatchOfOwner = APIParameter(
        .header,
        Field<String>(
            "If-Match",
            "The ETag of the title, track or account that the client has read: 412 if anything about it has changed; * for any. Without it the answer is 428.",
            .pattern(#"^(\*|"[!#-~]*")$"#)), sharedAs: "ifMatchOfOwner")

    package static let sort = APIParameter(
        .query,
        Field<String>(
            "sort", "order: by title, newest first, shortest first, or longest first (-duration)", .optional,
            .oneOf("title", "newest", "duration", "-duration"), .standard(.string("title"))), sharedAs: "sort")

    package static let titleSort = APIParameter(
        .query,
        Field<String>(
            "sort", "order: by title, newest, shortest, longest (-duration), cheapest, best rated, or best match first",
            .optional, .oneOf("title", "newest", "duration", "-duration", "price", "rating", "relevance")),
        sharedAs: "titleSort")

    package static let itemState = APIParameter(
        .query,
        Field<String>(
            "state", "state of the items; all if missing", .optional,
            .oneOf("queued", "probing", "indexing", "transcoding", "ready", "failed", "cancelled")),
        sharedAs: "itemState")

    package static let idempotencyKey = APIParameter(
        .header,
        Field<String>(
            "Idempotency-Key",
            "A text that the client chooses for this request and its repetitions, such as a UUID. The request is carried out once; repetitions within 24 hours get the first response, with Idempotency-Replayed: true. It counts for clients that have logged in, and for JSON.",
            .optional, .minimumLength(1), .maximumLength(255), .pattern("^[!#-~]+$")), sharedAs: "idempotencyKey")

    package static let limit = APIParameter(
        .query,
        Field<Int>(
            "limit", "number of items on a page", .optional, .minimum(1), .maximum(100), .standard(.integer(20))),
        sharedAs: "limit")

    package static let cursor = APIParameter(
        .query,
        Field<String>(
            "cursor", "`next` of the previous page; the first page if missing", .optional, .maximumLength(8192),
            .pattern("^[A-Za-z0-9_-]*$")), sharedAs: "cursor")

    package static let tusResumable = APIParameter(
        .header, Field<String>("Tus-Resumable", "version of tus", .only("1.0.0")), sharedAs: "tusResumable")

    package static let q = APIParameter(
        .query, Field<String>("q", "words to search for", .optional, .maximumLength(200)), sharedAs: "q")

    package static let id = APIParameter(
        .path, Field<String>("id", "identifier of the resource", .minimumLength(1)), sharedAs: "id")

    package static let user = APIParameter(
        .path, Field<String>("name", "username or e-mail address", .minimumLength(1), .maximumLength(320)),
        sharedAs: "user")

    package static let channel = APIParameter(
        .path, Field<String>("name", "name of the channel", .minimumLength(1)), sharedAs: "channel")
}
