/// What somebody needs to set up an authenticator app. It is shown once.
package struct SecondFactorSetUp: Sendable {
    package var code: TimeBasedCode
    /// The address for a QR code.
    package var uri: String
}
