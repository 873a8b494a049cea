package import APIContract

/// The fields of the credential of a device that has logged in.
package struct DeviceTokenFields: ObjectFields {
    package static let name = "DeviceToken"
    package static let fields = DeviceTokenFields()

    package let accessToken = Field<String>(
        "access_token", "secret of the session, for the header Authorization: Bearer")
    package let tokenType = Field<String>("token_type", "kind of the credential, always Bearer", .example("Bearer"))

    package init() {}
}
