/// What an account's owner sees of the second factor.
package struct SecondFactorStatus: Sendable, Hashable {
    package var isOn: Bool
    /// Recovery codes that were not used yet.
    package var recoveryCodeCount: Int
}
