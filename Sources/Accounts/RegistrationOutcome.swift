/// The outcome of a sign-up. The account's state says what it waits for.
package struct RegistrationOutcome: Sendable {
    package var account: Account
    /// The link that has to be sent to the account's address; `nil` if nothing has to be confirmed.
    package var confirmation: NewLink?
    /// The session of an account that can be used at once; `nil` if it waits for something.
    package var session: NewSession?
}
