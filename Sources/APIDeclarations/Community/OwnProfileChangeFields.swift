package import APIContract

/// The fields of a change of the sender's profile.
package struct OwnProfileChangeFields: ObjectFields {
    package static let name = "OwnProfileChange"
    package static let isClosed = true
    package static let fields = OwnProfileChangeFields()

    package let about = Field<String?>(setting: OwnProfileFields.fields.about, .optional, .maximumLength(2000))
    package let visibility = Field<String?>(
        setting: OwnProfileFields.fields.visibility, .optional, .oneOf("everybody", "members"))
    package let showsFollows = Field<Bool?>(setting: OwnProfileFields.fields.showsFollows, .optional)
    package let showsLikes = Field<Bool?>(setting: OwnProfileFields.fields.showsLikes, .optional)

    package init() {}
}
