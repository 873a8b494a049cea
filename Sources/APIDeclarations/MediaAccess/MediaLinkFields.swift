package import APIContract

/// The fields of a link with which anybody can watch something until a time.
package struct MediaLinkFields: ObjectFields {
    package static let name = "MediaLink"
    package static let fields = MediaLinkFields()
    package static let columns = [
        TableColumn("ID", fields.id), TableColumn("NAME", fields.name, .short), TableColumn("PATH", fields.path),
        TableColumn("CREATED", fields.createdAt), TableColumn("EXPIRES", fields.expiresAt),
        TableColumn("REVOKED", fields.revokedAt),
    ]

    package let id = Field<String>("id", "identifier of the link", .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let name = Field<String>("name", "name of the link in the list", .example("Press preview"))
    package let path = Field<String>(
        "path", "path of the playlist or file that the link leads to", .example("/live/canalA.stream/playlist.m3u8"))
    package let link = Field<String>("link", "address of the link; a path if the server does not know its own address")
    package let createdAt = Field<APITime>("createdAt", "time of creation")
    package let expiresAt = Field<APITime>("expiresAt", "time at which the link expires")
    package let revokedAt = Field<APITime?>("revokedAt", "time at which somebody ended the link; null if nobody did")

    package init() {}
}
