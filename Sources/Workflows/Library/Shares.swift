/// The shares of a few counts in their sum.
package struct Shares: Sendable, Equatable {
    private let counts: [Int]

    /// - Parameter counts: one count per category; a negative one counts as 0.
    package init(_ counts: [Int]) {
        self.counts = counts.map { max(0, $0) }
    }

    /// The sum of all counts, or `Int.max` if it overflows.
    package var total: Int {
        counts.reduce(0) { $0.addingReportingOverflow($1).overflow ? .max : $0 + $1 }
    }

    /// The sum of all counts, which cannot overflow as ``total`` can.
    package var sum: Double { counts.reduce(0) { $0 + Double($1) } }

    /// Whole percentages, one per category, that add up to 100 (or are all 0 if every count is 0).
    ///
    /// The largest-remainder method: each share is rounded down, and the missing points go to the largest remainders,
    /// the earlier category first. A category that is not empty gets at least 1, taken from the largest category. So a
    /// nonzero share is never shown as 0 %, the sum stays 100 without a "<1 %", and the error of that share stays below
    /// one point. (This cannot hold for 100 or more categories; then the smallest stay 0.)
    package var percentages: [Int] {
        let total = sum
        guard total > 0 else { return counts.map { _ in 0 } }
        let exact = counts.map { Double($0) / total * 100 }
        var rounded = exact.map { Int($0.rounded(.down)) }
        let byRemainder = counts.indices.sorted {
            let left = exact[$0] - Double(rounded[$0])
            let right = exact[$1] - Double(rounded[$1])
            return left == right ? $0 < $1 : left > right
        }
        for index in byRemainder.prefix(max(0, 100 - rounded.reduce(0, +))) { rounded[index] += 1 }
        for index in counts.indices where counts[index] > 0 && rounded[index] == 0 {
            guard let largest = rounded.indices.max(by: { rounded[$0] < rounded[$1] }), rounded[largest] > 1 else {
                break
            }
            rounded[largest] -= 1
            rounded[index] += 1
        }
        return rounded
    }
}
