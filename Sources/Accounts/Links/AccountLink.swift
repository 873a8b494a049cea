/// A one-time link that was made, with the account that it is for.
package struct AccountLink: Sendable, Hashable {
    package var account: Account
    package var link: NewLink
}
