package import Accounts
package import Catalogue

/// The owner of a map, and its reader.
package struct MapQuery: Sendable, Hashable {
    package var competition: OpaqueID
    /// The day whose videos are shown, from 1; `nil` for all.
    package var day: Int?
    /// Which titles the reader may be shown; `nil` for all.
    package var visible: RecordVisibility?
    /// The reader, who does not see videos of muted or blocked members; `nil` for a stranger.
    package var reader: UserID?

    package init(_ competition: OpaqueID, day: Int? = nil, visible: RecordVisibility?, reader: UserID?) {
        (self.competition, self.day, self.visible, self.reader) = (competition, day, visible, reader)
    }
}
