package import APIContract

/// The fields of the key of an offline copy, wrapped for a device.
package struct CopyKeyFields: ObjectFields {
    package static let name = "CopyKey"
    package static let fields = CopyKeyFields()

    package let copy = Field<String>("copy", "ID of the copy", .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let device = Field<String>(
        "device", "ID of the device that the key is wrapped for", .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let encapsulatedKey = Field<String>("encapsulatedKey", "encapsulated key of HPKE (RFC 9180), in base64")
    package let ciphertext = Field<String>("ciphertext", "encrypted key of the copy, in base64")
    package let rental = Field<APIObject<RentalFields>>("rental", "rental that the copy is for")

    package init() {}
}
