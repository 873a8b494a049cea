/// The state of an account's second factor, as its owner sees it.
package struct SecondFactorStatus: Sendable, Hashable {
    package var isOn: Bool
    /// Recovery codes that were not used yet.
    package var recoveryCodeCount: Int
}
