/// The fields of a sign-up that an operator can make required.
package enum ProfileField: String, Sendable, Hashable, CaseIterable {
    case email
    case name
    case mobile
    case city
    case country
}
