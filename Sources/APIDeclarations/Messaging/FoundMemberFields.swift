package import APIContract

/// The fields of a member who was looked for.
package struct FoundMemberFields: ObjectFields {
    package static let name = "FoundMember"
    package static let fields = FoundMemberFields()

    package let username = NamedMemberFields.fields.username
    package let photo = NamedMemberFields.fields.photo

    package init() {}
}
