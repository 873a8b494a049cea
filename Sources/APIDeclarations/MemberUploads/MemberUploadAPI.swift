package import APIContract
import MediaCore

/// The operations of the API for member uploads.
package enum MemberUploadAPI {
    package static let listMemberUploads = APIOperation(
        .get, "/api/v1/me/uploads", "listMemberUploads", "What the sender has sent, the last ones first",
        parameters: [.cursor, .limit],
        answer: .object(SentVideoListFields.self, "Sent videos, and the room that all take")
    )
    .refusing(.invalidCursor)

    package static let describeMemberUploads = APIOperation.tusCapabilities(
        "/api/v1/me/uploads", "describeMemberUploads")

    package static let createMemberUpload = APIOperation(
        .post, "/api/v1/me/uploads", "createMemberUpload", "Start to send a video (tus 1.0)",
        parameters: [
            .tusResumable,
            .tusLength,
            .header(
                Field<String>(
                    "Upload-Metadata",
                    "filename, in base64; filetype with a media type, in base64, for names without an extension",
                    .maximumLength(4096), .pattern("^filename ([A-Za-z0-9+/]{4})+$"))),
            .header(
                Field<String>(
                    "Upload-Checksum", "checksum of the body: sha1, sha256 or md5, and the digest in base64", .optional,
                    .pattern("^(sha1|sha256|md5) ([A-Za-z0-9+/]{4})+$"))),
        ],
        answer: .nothing(
            "Location is the URL of the upload; if the body is application/offset+octet-stream, Upload-Offset is the number of bytes received",
            status: 201)
    )
    .or(
        APIAnswer(413, "Larger than Tus-Max-Size"),
        APIAnswer(409, "Three of the sender's uploads are not complete, or their room is used up"),
        APIAnswer(429, "Too many unfinished uploads"), APIAnswer(507, "Not enough disk space")
    )
    .refusing(.tooMany)
    .failingAsNewUpload

    package static let getMemberUpload = APIOperation(
        .get, "/api/v1/me/uploads/{id}", "getMemberUpload", "What was sent, and how far it is", parameters: [.id],
        answer: .object(SentVideoFields.self, "The sent video"))

    package static let describeMemberUpload = APIOperation.tusCapabilities(
        "/api/v1/me/uploads/{id}", "describeMemberUpload", parameters: [.id])

    package static let getMemberUploadOffset = APIOperation.tusOffset(
        "/api/v1/me/uploads/{id}", "getMemberUploadOffset", whenComplete: "Content-Location once it is complete")

    package static let appendToMemberUpload = APIOperation.tusAppending(
        "/api/v1/me/uploads/{id}", "appendToMemberUpload", whenComplete: "Content-Location once the upload is complete")

    package static let deleteMemberUpload = APIOperation(
        .delete, "/api/v1/me/uploads/{id}", "deleteMemberUpload",
        "Delete what was sent, with its video if it is published", parameters: [.id, .tusResumable],
        answer: .nothing("The file and everything that was made of it are deleted soon")
    )
    .failing(with: APIProblem(412, .changedMeanwhile))

    package static let overrideMemberUploadMethod = APIOperation.tusOverride(
        "/api/v1/me/uploads/{id}", "overrideMemberUploadMethod")

    package static let publishMemberUpload = APIOperation(
        .put, "/api/v1/me/uploads/{id}/video", "publishMemberUpload", "Say what a sent video is about, and publish it",
        "Fields that are missing keep their values. With `publish` it is published at once if it plays, otherwise as soon as it does; `problem` says why it could not be. 409 once it is published.",
        parameters: [.id], body: APIBody(.json(SentVideoChangeFields.self)),
        answer: .object(SentVideoFields.self, "The sent video")
    )
    .refusing(.conflict)

    package static let setMemberUploadPoster = APIOperation(
        .put, "/api/v1/me/uploads/{id}/poster", "setMemberUploadPoster", "Choose the picture of a sent video",
        "The frame at a time, or an image.", parameters: [.id],
        body: APIBody(
            .json(PosterTimeFields.self),
            APIContent("image/jpeg", String.self, [.minimumLength(1), .maximumLength(16777216), .format("binary")]),
            APIContent("image/png", String.self, [.minimumLength(1), .maximumLength(16777216), .format("binary")])),
        answer: .object(SentVideoFields.self, "The sent video")
    )
    .failing(with: APIProblem(409, .conflict), APIProblem(429, .tooManyRequests))
}
