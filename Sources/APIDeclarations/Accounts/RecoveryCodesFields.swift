package import APIContract

/// The fields of the recovery codes of a second factor, which are shown once.
package struct RecoveryCodesFields: ObjectFields {
    package static let name = "RecoveryCodes"
    package static let fields = RecoveryCodesFields()

    package let recoveryCodes = Field<[String]>(
        "recoveryCodes", "codes that each take the place of the authenticator app once")

    package init() {}
}
