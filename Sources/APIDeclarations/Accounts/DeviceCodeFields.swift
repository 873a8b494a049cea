package import APIContract

/// The fields of a device's request for its token.
package struct DeviceCodeFields: ObjectFields {
    package static let name = "DeviceCode"
    package static let isClosed = true
    package static let fields = DeviceCodeFields()

    package let deviceCode = Field<String>(
        setting: DeviceAuthorizationFields.fields.deviceCode, .minimumLength(1), .maximumLength(1000))

    package init() {}
}
