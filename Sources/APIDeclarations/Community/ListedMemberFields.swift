package import APIContract

/// The fields of a member in a list of people.
package struct ListedMemberFields: ObjectFields {
    package static let name = "ListedMember"
    package static let fields = ListedMemberFields()
    package static let columns = [TableColumn("USERNAME", fields.username)]

    package let username = Field<String>("username", "username of the member", .example("ana"))
    package let followed = Field<Bool?>("followed", "whether the sender follows the member; null for the sender")
    package let photo = Field<String?>(
        "photo", "path of the member's photo, which changes with it, for members; null without one",
        .format("uri-reference"), .example("/api/v1/users/ana/photo?v=3f9a"))

    package init() {}
}
