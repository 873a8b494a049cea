package import APIContract

/// The operations of the API for uploads.
package enum UploadAPI {
    package static let describeUploads = APIOperation.tusCapabilities("/api/v1/uploads", "describeUploads")

    package static let createUpload = APIOperation(
        .post, "/api/v1/uploads", "createUpload", "Start an upload (tus 1.0)",
        parameters: [
            .tusResumable,
            .tusLength,
            .header(
                Field<String>(
                    "Upload-Metadata", "filename, in base64: a name with the extension of a media file",
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
        APIAnswer(413, "Larger than Tus-Max-Size"), APIAnswer(429, "Too many unfinished uploads"),
        APIAnswer(507, "Not enough disk space")
    )
    .failingAsNewUpload

    package static let describeUpload = APIOperation.tusCapabilities(
        "/api/v1/uploads/{id}", "describeUpload", parameters: [.id])

    package static let getUploadOffset = APIOperation.tusOffset(
        "/api/v1/uploads/{id}", "getUploadOffset", whenComplete: "Content-Location once it is a title or track")

    package static let appendToUpload = APIOperation.tusAppending(
        "/api/v1/uploads/{id}", "appendToUpload",
        whenComplete: "Content-Location names the title or track once the upload is complete")

    package static let deleteUpload = APIOperation(
        .delete, "/api/v1/uploads/{id}", "deleteUpload", "Cancel the upload", parameters: [.id, .tusResumable],
        answer: .nothing("The upload's bytes are deleted")
    )
    .failing(with: APIProblem(412, .changedMeanwhile))

    package static let overrideUploadMethod = APIOperation.tusOverride("/api/v1/uploads/{id}", "overrideUploadMethod")
}
