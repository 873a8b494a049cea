package import Accounts
package import Database
package import MediaCore

/// The items of another domain that members can report. Its closures run inside the transaction of their caller.
package struct ReportableItems: Sendable {
    /// An item as it is now.
    package struct Item: Sendable {
        package var owner: UserID?
        package var isHidden: Bool
        /// The beginning of its text, for the moderators.
        package var text: String

        package init(owner: UserID?, isHidden: Bool, text: String) {
            (self.owner, self.isHidden, self.text) = (owner, isHidden, text)
        }
    }

    package typealias Finder =
        @Sendable (_ id: OpaqueID, _ reader: UserID?, _ locks: Bool, _ db: any SQLConnection) throws -> Item?

    /// Limit of the text that moderators read, in characters.
    package static let maximumTextLength = 2_000

    /// Reads an item, which may be locked first; `nil` if there is none that the reader may see. Moderators see all:
    /// `nil` as the reader.
    let find: Finder
    let setHidden: @Sendable (Bool, _ id: OpaqueID, _ now: WallClockTime, _ db: any SQLConnection) throws -> Void
    let delete: @Sendable (_ id: OpaqueID, _ now: WallClockTime, _ db: any SQLConnection) throws -> Void

    package init(
        find: @escaping Finder,
        setHidden:
            @escaping @Sendable (
                Bool, _ id: OpaqueID, _ now: WallClockTime, _ db: any SQLConnection
            ) throws -> Void,
        delete: @escaping @Sendable (_ id: OpaqueID, _ now: WallClockTime, _ db: any SQLConnection) throws -> Void
    ) {
        (self.find, self.setHidden, self.delete) = (find, setHidden, delete)
    }
}
