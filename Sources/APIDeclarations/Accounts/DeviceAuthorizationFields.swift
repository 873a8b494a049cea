package import APIContract
import JSONDocument

/// The fields of the codes with which a device without a keyboard logs in (RFC 8628).
package struct DeviceAuthorizationFields: ObjectFields {
    package static let name = "DeviceAuthorization"
    package static let fields = DeviceAuthorizationFields()

    package let deviceCode = Field<String>("device_code", "secret code with which the device asks for its token")
    package let userCode = Field<String>(
        "user_code", "code that the device shows, and that a person types", .example("WDJB-MJHT"))
    package let verificationUri = Field<String>(
        "verification_uri", "address at which the code is typed; a path if the server does not know its own address",
        .example("https://tv.example.org/cuenta/dispositivo"))
    package let expiresIn = Field<Int>("expires_in", "seconds until both codes expire", .example(.integer(900)))
    package let interval = Field<Int>(
        "interval", "least number of seconds between two requests for the token", .example(.integer(5)))

    package init() {}
}
