package import APIContract

/// The fields of a link with which one publisher pushes to a channel.
package struct PublishLinkFields: ObjectFields {
    package static let name = "PublishLink"
    package static let fields = PublishLinkFields()
    package static let columns = [
        TableColumn("ID", fields.id), TableColumn("NAME", fields.name, .short),
        TableColumn("CREATED", fields.createdAt), TableColumn("EXPIRES", fields.expiresAt),
        TableColumn("USED", fields.usedAt), TableColumn("BY", fields.usedBy), TableColumn("REVOKED", fields.revokedAt),
    ]

    package let id = Field<String>("id", "identifier of the link", .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let channel = Field<String>("channel", "name of the channel", .example("canalA"))
    package let name = Field<String>("name", "name of the link in the list", .example("Camera at the stage"))
    package let createdAt = Field<APITime>("createdAt", "time of creation")
    package let expiresAt = Field<APITime>("expiresAt", "time at which the link expires")
    package let usedAt = Field<APITime?>(
        "usedAt", "time at which a publisher began to push with the link; null if none did")
    package let usedBy = Field<String?>(
        "usedBy", "network address that has used the link, and may come back; null if none has", .example("192.0.2.7"))
    package let revokedAt = Field<APITime?>("revokedAt", "time at which somebody ended the link; null if nobody did")
    package let link = Field<String>(
        "link", "RTSP URL, a path if the server does not know its own address; only in the answer that makes the link",
        .optional)
    package let rtmp = Field<String>(
        "rtmp",
        "RTMP URL, whose last part is the stream key; only in the answer that makes the link, if the server "
            + "listens and knows its own address", .optional)
    package let srt = Field<String>(
        "srt",
        "SRT URL with the passphrase; only in the answer that makes the link, if the server listens and knows its own "
            + "address", .optional)
    package let passphrase = Field<String>(
        "passphrase", "passphrase of pushes by SRT with the link; only in the answer that makes the link", .optional)

    package init() {}
}
