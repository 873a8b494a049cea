package import Accounts

/// The verdict about somebody, and who it is.
package struct ViewingOutcome: Sendable {
    package let verdict: ViewingVerdict
    /// The member as whom they watch; `nil` if no account was asked for, or there is none.
    package let member: Member?
}
