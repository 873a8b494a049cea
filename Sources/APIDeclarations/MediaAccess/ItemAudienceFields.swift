package import APIContract

/// The fields of the audience of a title or track.
package struct ItemAudienceFields: ObjectFields {
    package static let name = "ItemAudience"
    package static let fields = ItemAudienceFields()

    package let id = Field<String>("id", "ID of the title or track", .example("film"))
    package let audience = Field<String>(
        "audience", "audience of its own, or section for the audience of all titles or tracks",
        .oneOf("everyone", "members", "invited", "section"))
    package let effective = Field<String>(
        "effective", "audience that holds: its own, or that of all titles or tracks",
        .oneOf("everyone", "members", "invited"))
    package let invited = Field<[String]>(
        "invited", "usernames of the accounts that may watch it whatever its audience is")

    package init() {}
}
