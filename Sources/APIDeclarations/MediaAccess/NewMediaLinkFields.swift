package import APIContract

/// The fields of a new link with which anybody can watch something until a time.
package struct NewMediaLinkFields: ObjectFields {
    package static let name = "NewMediaLink"
    package static let isClosed = true
    package static let fields = NewMediaLinkFields()

    package let path = Field<String>(
        setting: MediaLinkFields.fields.path, "path of a playlist or file, such as /live/canalA.stream/playlist.m3u8",
        .maximumLength(1000), .pattern("^/(live|vod|radio)/"), .example("/live/canalA.stream/playlist.m3u8"))
    package let name = Field<String?>(
        setting: MediaLinkFields.fields.name, "name of the link in the list; the folder of the path if null or missing",
        .optional, .maximumLength(100), .example("Press preview"))
    package let expiresIn = Field<Int?>(
        "expiresIn", "life of the link in seconds; a day if null or missing", .optional, .minimum(1),
        .maximum(31622400))

    package init() {}
}
