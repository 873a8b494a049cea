/// A card that a referee shows.
package enum MatchCard: String, Sendable, Hashable, CaseIterable {
    case yellow, red, black, white
}
