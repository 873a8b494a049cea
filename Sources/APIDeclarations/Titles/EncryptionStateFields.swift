package import APIContract

/// The fields of the state of a title's encryption.
package struct EncryptionStateFields: ObjectFields {
    package static let name = "EncryptionState"
    package static let fields = EncryptionStateFields()

    package let id = Field<String>("id", "ID of the title", .optional, .example("film"))
    package let encrypt = Field<Bool>("encrypt", "whether segments are delivered encrypted (AES-128)", .optional)

    package init() {}
}
