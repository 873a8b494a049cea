package import APIContract

/// The fields of a device that keeps offline copies.
package struct DeviceFields: ObjectFields {
    package static let name = "Device"
    package static let fields = DeviceFields()

    package let id = Field<String>("id", "identifier of the device", .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let name = Field<String>("name", "name that the owner has for the device", .example("laptop"))
    package let createdAt = Field<APITime>("createdAt", "time at which the device was registered")
    package let lastUsedAt = Field<APITime?>(
        "lastUsedAt", "time of the last use, to the minute; null if there was none")
    package let secret = Field<String>(
        "secret", "credential of the device; only in the answer that makes it", .optional)

    package init() {}
}
