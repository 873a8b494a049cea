import APIContract

/// The operations of resumable uploads (tus 1.0), which are the same for each target.
extension APIOperation where Value == Void {
    static func tusCapabilities(_ path: String, _ id: String, parameters: [APIParameter] = []) -> APIOperation {
        APIOperation(
            .options, path, id, "Supported version, extensions and limits of tus 1.0", parameters: parameters,
            answer: .nothing("Tus-Version, Tus-Extension, Tus-Max-Size and Tus-Checksum-Algorithm"))
    }

    /// - Parameter complete: the header field of a complete upload.
    static func tusOffset(_ path: String, _ id: String, whenComplete complete: String) -> APIOperation {
        APIOperation(
            .head, path, id, "Number of bytes received so far", parameters: [.id, .tusResumable],
            answer: .nothing("Upload-Offset, Upload-Length, Upload-Expires; \(complete)", status: 200)
        )
        .or(APIAnswer(404, "Unknown or expired"))
        .failing(with: APIProblem(412, .changedMeanwhile))
    }

    /// - Parameter complete: the header field of a complete upload.
    static func tusAppending(_ path: String, _ id: String, whenComplete complete: String) -> APIOperation {
        APIOperation(
            .patch, path, id, "Send more bytes",
            parameters: [
                .id, .tusResumable,
                .header(
                    Field<Int>(
                        "Upload-Offset", "offset of these bytes, as HEAD reports it", .minimum(0),
                        .maximum(APIParameter.maximumTusByteCount))),
                .tusChecksum("checksum of these bytes"),
            ], body: APIBody(APIContent("application/offset+octet-stream", String.self, [.format("binary")])),
            answer: .nothing("Upload-Offset is the number of bytes received; \(complete)")
        )
        .or(
            APIAnswer(409, "Upload-Offset does not match"), APIAnswer(423, "Another connection is sending"),
            APIAnswer(460, "Upload-Checksum does not match; these bytes are discarded")
        )
        .failing(
            with: APIProblem(403, .readOnly), APIProblem(409, .conflict), APIProblem(412, .changedMeanwhile),
            APIProblem(507, .diskFull))
    }

    static func tusOverride(_ path: String, _ id: String) -> APIOperation {
        APIOperation(
            .post, path, id, "PATCH, DELETE or HEAD, selected by X-HTTP-Method-Override",
            parameters: [
                .id, .tusResumable,
                .header(
                    Field<String>(
                        "X-HTTP-Method-Override", "method that the request stands for",
                        .oneOf("PATCH", "DELETE", "HEAD"))),
            ], answer: .nothing("The response of the selected method")
        )
        .failing(
            with: APIProblem(400, .badRequest), APIProblem(403, .readOnly), APIProblem(409, .conflict),
            APIProblem(412, .changedMeanwhile), APIProblem(413, .tooLarge), APIProblem(415, .unsupportedType),
            APIProblem(507, .diskFull))
    }

    /// The operation with the problems of a new upload.
    var failingAsNewUpload: APIOperation {
        failing(
            with: APIProblem(400, .badRequest), APIProblem(403, .readOnly), APIProblem(412, .changedMeanwhile),
            APIProblem(413, .tooLarge), APIProblem(422, .notValid), APIProblem(429, .tooManyRequests),
            APIProblem(507, .diskFull))
    }
}
