package import APIContract
package import JSONDocument

/// The fields of the manifest with which a device downloads an offline copy.
package struct CopyManifestFields: ObjectFields {
    package static let name = "CopyManifest"
    package static let fields = CopyManifestFields()

    package let rental = Field<APIObject<RentalFields>>("rental", "rental that the copy is for")
    package let title = Field<String>("title", "ID of the title", .example("film"))
    package let name = Field<String>("name", "name of the title when it was rented", .example("Garden of life"))
    package let details = Field<JSONText>(
        "details", "details of the title, as /api/v1/titles/{id}/details has them", .schema(.type("object")))
    package let copy = Field<String>("copy", "ID of the copy", .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let rendition = Field<String>("rendition", "name of the rendition", .example("video"))
    package let byteCount = Field<Int>(
        "byteCount", "size of the copy in bytes", .minimum(1), .example(.integer(734_003_200)))
    package let chunkByteCount = Field<Int>(
        "chunkByteCount", "size in bytes of every chunk but the last", .minimum(1), .example(.integer(1_048_576)))
    package let sha256 = Field<String>("sha256", "SHA-256 of the whole copy, in hexadecimal digits")
    package let chunks = Field<[String]>("chunks", "SHA-256 of each chunk, in hexadecimal digits")
    package let etag = Field<String>("etag", "strong entity tag of the bytes, for If-Range")
    package let url = Field<String>("url", "address of the bytes; ranges are allowed, and no header is needed")
    package let metalink = Field<String>(
        "metalink", "address of the same as Metalink 4 (RFC 5854); no header is needed")
    package let state = Field<CopyState>("state", "state of the copy on the device")

    package init() {}
}
