package import APIContract

/// The fields of a member who is named in contacts and conversations.
package struct NamedMemberFields: ObjectFields {
    package static let name = "NamedMember"
    package static let fields = NamedMemberFields()

    package let username = Field<String>("username", "username of the member", .example("ana"))
    package let photo = Field<String?>(
        "photo", "path of the member's photo, which changes with it; null without one", .format("uri-reference"),
        .example("/api/v1/users/ana/photo?v=3f9a"))

    package init() {}
}
