package import Accounts

/// The results that somebody does not want to be told: those of matches whose end they have not watched.
package struct HiddenResults: Sendable {
    /// Whether they want that at all.
    package var hides: Bool
    /// The matches whose end they have watched.
    package var watched: Set<OpaqueID>

    package init(hides: Bool, watched: Set<OpaqueID> = []) { (self.hides, self.watched) = (hides, watched) }

    /// Nothing is hidden.
    package static let none = HiddenResults(hides: false)

    /// Whether the result of a match is hidden.
    package func hides(_ match: OpaqueID) -> Bool { hides && !watched.contains(match) }
}
