package import APIContract

/// The fields of a new device for offline copies.
package struct NewDeviceFields: ObjectFields {
    package static let name = "NewDevice"
    package static let isClosed = true
    package static let fields = NewDeviceFields()

    package let name = Field<String>(
        setting: DeviceFields.fields.name, .minimumLength(1), .maximumLength(60), .example("laptop"))
    package let publicKey = Field<String>("publicKey", "X25519 public key of the device, in base64")

    package init() {}
}
