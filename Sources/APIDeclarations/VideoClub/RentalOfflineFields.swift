package import APIContract

/// The fields of the offline copies of a rental.
package struct RentalOfflineFields: ObjectFields {
    package static let name = "RentalOffline"
    package static let meaning: String? =
        "state of the copies on the member's devices; missing in exports and in the answers to devices"
    package static let fields = RentalOfflineFields()

    package let state = Field<CopyState>("state", "state on the device that has most")
    package let devices = Field<[APIObject<RentalOfflineDeviceFields>]>(
        "devices", "states of the copies on each device")

    package init() {}
}
