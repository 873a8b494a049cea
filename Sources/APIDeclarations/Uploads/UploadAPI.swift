package import APIContract

/// The operations of the API for uploads.
package enum UploadAPI {
    package static let describeUploads = APIOperation(
        .options, "/api/v1/uploads", "describeUploads", "Supported version, extensions and limits of tus 1.0",
        answer: .nothing("Tus-Version, Tus-Extension, Tus-Max-Size and Tus-Checksum-Algorithm"))

    package static let createUpload = APIOperation(
        .post, "/api/v1/uploads", "createUpload", "Start an upload (tus 1.0)",
        parameters: [
            .tusResumable,
            .header(
                Field<Int>("Upload-Length", "size of the whole file in bytes", .minimum(1), .maximum(274877906944))),
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
    .failing(
        with: APIProblem(400, .badRequest), APIProblem(403, .readOnly), APIProblem(412, .changedMeanwhile),
        APIProblem(413, .tooLarge), APIProblem(422, .notValid), APIProblem(429, .tooManyRequests),
        APIProblem(507, .diskFull))

    package static let describeUpload = APIOperation(
        .options, "/api/v1/uploads/{id}", "describeUpload", "Supported version, extensions and limits of tus 1.0",
        parameters: [.id], answer: .nothing("Tus-Version, Tus-Extension, Tus-Max-Size and Tus-Checksum-Algorithm"))

    package static let getUploadOffset = APIOperation(
        .head, "/api/v1/uploads/{id}", "getUploadOffset", "Number of bytes received so far",
        parameters: [.id, .tusResumable],
        answer: .nothing(
            "Upload-Offset, Upload-Length, Upload-Expires; Content-Location once it is a title or track", status: 200)
    )
    .or(APIAnswer(404, "Unknown or expired"))
    .failing(with: APIProblem(412, .changedMeanwhile))

    package static let appendToUpload = APIOperation(
        .patch, "/api/v1/uploads/{id}", "appendToUpload", "Send more bytes",
        parameters: [
            .id, .tusResumable,
            .header(
                Field<Int>(
                    "Upload-Offset", "offset of these bytes, as HEAD reports it", .minimum(0), .maximum(274877906944))),
            .header(
                Field<String>(
                    "Upload-Checksum", "checksum of these bytes", .optional,
                    .pattern("^(sha1|sha256|md5) ([A-Za-z0-9+/]{4})+$"))),
        ], body: APIBody(APIContent("application/offset+octet-stream", String.self, [.format("binary")])),
        answer: .nothing(
            "Upload-Offset is the number of bytes received; Content-Location names the title or track once the upload is complete"
        )
    )
    .or(
        APIAnswer(409, "Upload-Offset does not match"), APIAnswer(423, "Another connection is sending"),
        APIAnswer(460, "Upload-Checksum does not match; these bytes are discarded")
    )
    .failing(
        with: APIProblem(403, .readOnly), APIProblem(409, .conflict), APIProblem(412, .changedMeanwhile),
        APIProblem(507, .diskFull))

    package static let deleteUpload = APIOperation(
        .delete, "/api/v1/uploads/{id}", "deleteUpload", "Cancel the upload", parameters: [.id, .tusResumable],
        answer: .nothing("The upload's bytes are deleted")
    )
    .failing(with: APIProblem(412, .changedMeanwhile))

    package static let overrideUploadMethod = APIOperation(
        .post, "/api/v1/uploads/{id}", "overrideUploadMethod",
        "PATCH, DELETE or HEAD, selected by X-HTTP-Method-Override",
        parameters: [
            .id, .tusResumable,
            .header(
                Field<String>(
                    "X-HTTP-Method-Override", "method that the request stands for", .oneOf("PATCH", "DELETE", "HEAD"))),
        ], answer: .nothing("The response of the selected method")
    )
    .failing(
        with: APIProblem(400, .badRequest), APIProblem(403, .readOnly), APIProblem(409, .conflict),
        APIProblem(412, .changedMeanwhile), APIProblem(413, .tooLarge), APIProblem(415, .unsupportedType),
        APIProblem(507, .diskFull))
}
