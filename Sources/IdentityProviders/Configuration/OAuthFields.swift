/// The names of the fields that describe somebody. A dot leads into an object, as in `data.user.id`.
package struct OAuthFields: Sendable, Hashable {
    /// The field that identifies the user: it never changes and is unique.
    package var subject = "id"
    package var username = "login"
    package var email = "email"
    /// The field that says whether the provider has checked the address; without one no address counts as checked.
    package var emailVerified: String?
    package var name = "name"

    package init() {}
}
