package import APIContract

/// The fields of a change of a title's encryption.
package struct EncryptionChangeFields: ObjectFields {
    package static let name = "EncryptionChange"
    package static let fields = EncryptionChangeFields()

    package let encrypt = Field<Bool?>(
        setting: TitleFields.fields.encrypt,
        "true for aes-128, false for none; null for the choice in channels.json", .optional)
    package let encryption = Field<String?>(
        setting: TitleFields.fields.encryption,
        "how the title is to be delivered, instead of `encrypt`: none, aes-128 or cbcs; null for the choice in channels.json",
        .optional, .oneOf("none", "aes-128", "cbcs"))

    package init() {}
}
