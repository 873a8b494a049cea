/// A side of a match.
package enum MatchSide: String, Sendable, Hashable, CaseIterable {
    case a, b

    package var other: MatchSide { self == .a ? .b : .a }
}
