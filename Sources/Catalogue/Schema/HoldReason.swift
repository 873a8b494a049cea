/// Why a title or track is kept from everybody who may not read all of them.
package enum HoldReason: String, Sendable, Hashable, CaseIterable {
    /// It is watched through links with a signature only.
    case unlisted
    /// It was hidden, and no link plays it.
    case hidden
}
