/// A credential that was just made, with its secret, which nobody can ask for again.
package struct NewToken: Sendable, Hashable {
    package var token: AccessToken
    package var secret: Secret
}
