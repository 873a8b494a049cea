/// Finds the name that somebody has probably meant.
package enum NearestName {
    /// - Parameters:
    ///   - name: as it was written; longer ones than any name can be are not compared.
    ///   - candidates: the names there are.
    /// - Returns: the most similar one, if it is similar at all: the same but for case, one that starts like it, or one
    ///   that a third of the letters make.
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

    /// Names of channels and titles have up to 64 characters.
    private static let maximumLength = 100

    /// Letters that have to be added, left out, exchanged, or swapped with their neighbour (Damerau and Levenshtein).
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
