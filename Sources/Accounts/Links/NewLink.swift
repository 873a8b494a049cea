/// A one-time link that was made, with its secret, which nobody can ask for again.
package struct NewLink: Sendable, Hashable {
    package var link: OneTimeLink
    package var secret: Secret
}
