/// The secret with which an authenticator app is set up. It is shown once.
package struct SecondFactorSetUp: Sendable {
    package var code: TimeBasedCode
    /// The address for a QR code.
    package var uri: String
}
