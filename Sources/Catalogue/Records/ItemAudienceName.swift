/// An audience as the catalogue stores it. What it means is decided by those who know accounts.
package enum ItemAudienceName: String, Sendable, Hashable, CaseIterable {
    case everyone, members, invited
}
