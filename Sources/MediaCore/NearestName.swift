/// Finds the name that a user probably meant.
package enum NearestName {
    /// Suggests the candidate that is most similar to a misspelt name.
    ///
    /// - Parameters:
    ///   - name: the name as written. Names longer than any valid one are not compared.
    ///   - candidates: the valid names.
    /// - Returns: the candidate that differs in case only, is a prefix or an extension of `name`, or is within an
    ///   edit distance of a third of the letters; `nil` if there is none.
    package static func suggestion(for name: String, among candidates: [String]) -> String? {
        let wanted = Array(name.lowercased().unicodeScalars.prefix(maximumLength + 1))
        guard !wanted.isEmpty, wanted.count <= maximumLength else { return nil }
        var best: (name: String, distance: Int)?
        for candidate in candidates {
            let known = Array(candidate.lowercased().unicodeScalars.prefix(maximumLength))
            let steps =
                known.starts(with: wanted) || wanted.starts(with: known) && !known.isEmpty
                ? (known.count == wanted.count ? 0 : 1) : distance(wanted, known)
            guard steps <= max(1, max(wanted.count, known.count) / 3), steps < best?.distance ?? .max else {
                continue
            }
            best = (candidate, steps)
        }
        return best?.name
    }

    /// Upper bound on the names that are compared; names of channels and titles have at most 64 characters.
    private static let maximumLength = 100

    /// Edit distance in insertions, deletions, substitutions and swaps of neighbours (Damerau–Levenshtein).
    private static func distance(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar]) -> Int {
        var beforePrevious: [Int] = []
        var previous = Array(0...second.count)
        for (row, letter) in first.enumerated() {
            var current = [row + 1]
            for (column, other) in second.enumerated() {
                var cost = min(
                    previous[column] + (letter == other ? 0 : 1), previous[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, letter == second[column - 1], first[row - 1] == other {
                    cost = min(cost, beforePrevious[column - 1] + 1)
                }
                current.append(cost)
            }
            (beforePrevious, previous) = (previous, current)
        }
        return previous[second.count]
    }
}
