/// A change of an account by an administrator. A field that is `nil` stays as it is.
package struct AccountChange: Sendable, Hashable {
    package var role: Role?
    /// True for an account that can be used: one that waits is approved, and one that is suspended is restored.
    package var isUsable: Bool?
    /// The time for which an account is suspended; `nil` for a suspension without end.
    package var suspensionTime: Duration?
    package var password: String?

    package init(role: Role? = nil, isUsable: Bool? = nil, password: String? = nil) {
        (self.role, self.isUsable, self.password) = (role, isUsable, password)
    }

    /// The times for which an account can be suspended with an end.
    package static let allowedSuspensionTimes = Duration.seconds(60)...Duration.seconds(3_650 * 86_400)
}
