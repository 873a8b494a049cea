package import APIContract

/// The fields of an offline copy on one device.
package struct RentalOfflineDeviceFields: ObjectFields {
    package static let name = "RentalOfflineDevice"
    package static let fields = RentalOfflineDeviceFields()

    package let id = Field<String>("id", "ID of the device", .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let name = Field<String>("name", "name that the owner has for the device", .example("laptop"))
    package let rendition = Field<String>("rendition", "name of the rendition", .example("video"))
    package let state = Field<CopyState>("state", "state of the copy on the device")
    package let changedAt = Field<APITime>("changedAt", "time at which the state changed last")

    package init() {}
}
