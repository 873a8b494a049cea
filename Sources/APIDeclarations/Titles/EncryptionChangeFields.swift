package import APIContract

/// The fields of a change of a title's encryption.
package struct EncryptionChangeFields: ObjectFields {
    package static let name = "EncryptionChange"
    package static let fields = EncryptionChangeFields()

    package let encrypt = Field<Bool?>(
        setting: TitleFields.fields.encrypt,
        "whether segments are delivered encrypted (AES-128); null for the choice in channels.json")

    package init() {}
}
