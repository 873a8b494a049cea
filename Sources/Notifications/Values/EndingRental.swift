package import Accounts

/// A rental whose time is about to end.
package struct EndingRental: Sendable, Hashable {
    package var id: OpaqueID
    package var renter: UserID
    /// The ID and the name of the title.
    package var title: String
    package var name: String

    package init(id: OpaqueID, renter: UserID, title: String, name: String) {
        (self.id, self.renter, self.title, self.name) = (id, renter, title, name)
    }
}
