package import APIContract

/// The fields of a second factor that is being set up.
package struct SecondFactorSetupFields: ObjectFields {
    package static let name = "SecondFactorSetup"
    package static let fields = SecondFactorSetupFields()

    package let uri = Field<String>("uri", "otpauth URI with the key, for a QR code")

    package init() {}
}
