package import APIContract

/// The fields of the state of a title's encryption.
package struct EncryptionStateFields: ObjectFields {
    package static let name = "EncryptionState"
    package static let fields = EncryptionStateFields()

    package let id = Field<String>("id", "ID of the title", .optional, .example("film"))
    package let encrypt = Field<Bool>("encrypt", "whether the title is delivered encrypted, in any way", .optional)
    package let encryption = Field<String>(
        "encryption", "how the title is delivered: none (in the clear), aes-128 or cbcs", .optional,
        .oneOf("none", "aes-128", "cbcs"))

    package init() {}
}
