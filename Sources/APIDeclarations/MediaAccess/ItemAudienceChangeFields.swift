package import APIContract

/// The fields of a change of the audience of a title or track.
package struct ItemAudienceChangeFields: ObjectFields {
    package static let name = "ItemAudienceChange"
    package static let isClosed = true
    package static let traits: [SchemaTrait] = [.minimumMemberCount(1)]
    package static let fields = ItemAudienceChangeFields()

    package let audience = Field<String?>(
        setting: ItemAudienceFields.fields.audience, .optional, .oneOf("everyone", "members", "invited", "section"))
    package let invited = Field<[String]?>(
        setting: ItemAudienceFields.fields.invited, .optional, .maximumCount(100), .each(.maximumLength(100)))

    package init() {}
}
