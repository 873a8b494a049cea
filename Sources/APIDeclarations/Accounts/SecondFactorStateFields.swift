package import APIContract

/// The fields of the state of the sender's second factor.
package struct SecondFactorStateFields: ObjectFields {
    package static let name = "SecondFactorState"
    package static let fields = SecondFactorStateFields()

    package let isOn = Field<Bool>("isOn", "whether a log-in needs a code of the second factor")
    package let recoveryCodes = Field<Int>("recoveryCodes", "number of recovery codes that are left")

    package init() {}
}
