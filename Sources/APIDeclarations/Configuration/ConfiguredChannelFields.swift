package import APIContract
package import JSONDocument

/// The fields of a channel in channels.json.
package struct ConfiguredChannelFields: ObjectFields {
    package static let name = "ConfiguredChannel"
    package static let meaning: String? = "a channel as channels.schema.json describes it"
    package static let fields = ConfiguredChannelFields()

    package let name = Field<String>(
        setting: ChannelFields.fields.name, "name of the channel, which has to be the one in the path", .optional,
        .example("canalA"))
    package let title = Field<String>(
        setting: ChannelFields.fields.title, "title of the channel for people; the name if missing", .optional,
        .minimumLength(1), .maximumLength(200), .example("Canal A"))
    package let description = Field<String>(
        setting: ChannelFields.fields.description, "description of the channel; none if missing", .optional,
        .minimumLength(1), .maximumLength(1000))
    package let cover = Field<String>(
        setting: ChannelFields.fields.cover,
        "image: a JPEG or PNG file, as a path below the media folder, or an https address", .optional,
        .minimumLength(1), .maximumLength(1024), .example("channels/canalA.jpg"))
    package let website = Field<String>(
        setting: ChannelFields.fields.website, "address of a page about the channel; none if missing", .optional,
        .maximumLength(2048), .pattern("^https?://[A-Za-z0-9][!-~]*$"), .example("https://example.org/"))
    package let artist = Field<String>(
        setting: ChannelFields.fields.artist, .optional, .minimumLength(1), .maximumLength(300))
    package let album = Field<String>(
        setting: ChannelFields.fields.album, .optional, .minimumLength(1), .maximumLength(300))
    package let audience = Field<JSONText>(
        "audience", "audience of the channel; that of all channels if missing", .optional,
        .example(.string("members")))
    package let defaultPreset = Field<String>(
        "defaultPreset", "preset of a push that names none; one of `presets`", .example("medium"))
    package let presets = Field<[String]>(
        "presets", "names of the presets that a push may select; `presets` of the file defines them", .minimumCount(1),
        .maximumCount(64), .unique)

    package init() {}
}
