import APIContract

extension APIParameter {
    /// Limit of the size of an upload.
    static let maximumTusByteCount = 274_877_906_944.0

    static let tusLength = APIParameter.header(
        Field<Int>("Upload-Length", "size of the whole file in bytes", .minimum(1), .maximum(maximumTusByteCount)))

    static let tusBodyChecksum = tusChecksum(
        "checksum of the body: sha1, sha256 or md5, and the digest in base64")

    static func tusChecksum(_ meaning: String) -> APIParameter {
        .header(
            Field<String>(
                "Upload-Checksum", meaning, .optional, .pattern("^(sha1|sha256|md5) ([A-Za-z0-9+/]{4})+$")))
    }
}
