package import APIContract

/// The fields of a contact of the sender.
package struct ContactFields: ObjectFields {
    package static let name = "Contact"
    package static let fields = ContactFields()

    package let username = NamedMemberFields.fields.username
    package let photo = NamedMemberFields.fields.photo
    package let since = Field<APITime>("since", "time since which they are contacts")
    package let online = Field<Bool?>(
        "online", "whether the contact is online; null if it is not known, or one of the two does not share it")
    package let seenAt = Field<APITime?>("seenAt", "time at which the contact was last online; null as for `online`")

    package init() {}
}
