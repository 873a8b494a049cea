/// The share of a few categories in a whole, drawn as a pie by ``svg()``.
package struct PieChart: Sendable, Equatable {
    package struct Category: Sendable, Equatable {
        /// Any text; escaped where it is drawn.
        package var name: String
        /// Not negative.
        package var count: Int

        package init(name: String, count: Int) {
            self.name = name
            self.count = max(0, count)
        }
    }

    /// For people and screen readers.
    package var title: String
    package var categories: [Category]
    /// Shown instead of a pie where every count is 0.
    package var emptyText: String

    package init(title: String, categories: [Category], emptyText: String = "Nothing here yet") {
        self.title = title
        self.categories = categories
        self.emptyText = emptyText
    }

    package var total: Int {
        categories.reduce(0) { $0.addingReportingOverflow($1.count).overflow ? .max : $0 + $1.count }
    }

    /// As ``total``, which stops at the largest integer.
    private var sum: Double { categories.reduce(0) { $0 + Double($1.count) } }

    // MARK: Percentages

    /// Whole percentages, one a category, that add up to 100 (or are all 0 where there is nothing).
    ///
    /// Largest remainder: each share is rounded down and what is missing to 100 goes to the largest remainders, the
    /// earlier category first. A category that is there at all gets at least 1, taken from the largest: so a nonzero
    /// share is never printed as 0 %, no "<1 %" is needed that would break the sum, and the error against the exact
    /// share stays below one point for it. (With 100 or more categories that cannot hold; then the smallest stay 0.)
    package var percentages: [Int] {
        let total = sum
        guard total > 0 else { return categories.map { _ in 0 } }
        let exact = categories.map { Double($0.count) / total * 100 }
        var rounded = exact.map { Int($0.rounded(.down)) }
        let byRemainder = categories.indices.sorted {
            let left = exact[$0] - Double(rounded[$0])
            let right = exact[$1] - Double(rounded[$1])
            return left == right ? $0 < $1 : left > right
        }
        for index in byRemainder.prefix(max(0, 100 - rounded.reduce(0, +))) { rounded[index] += 1 }
        for index in categories.indices where categories[index].count > 0 && rounded[index] == 0 {
            guard let largest = rounded.indices.max(by: { rounded[$0] < rounded[$1] }), rounded[largest] > 1 else {
                break
            }
            rounded[largest] -= 1
            rounded[index] += 1
        }
        return rounded
    }

    // MARK: Angles

    /// A slice thinner than this, in degrees, is not seen; it is drawn this wide and the others give way.
    static let minimumAngle = 5.0

    /// Degrees, one a category, that add up to 360 (or are all 0 where there is nothing).
    var angles: [Double] {
        let total = sum
        let present = categories.filter { $0.count > 0 }.count
        guard total > 0 else { return categories.map { _ in 0 } }
        let minimum = min(Self.minimumAngle, 360 / Double(present))
        let shares = categories.map { Double($0.count) / total * 360 }
        let thin = categories.indices.filter { categories[$0].count > 0 && shares[$0] < minimum }
        let reserved = minimum * Double(thin.count)
        let rest = categories.indices.filter { !thin.contains($0) }.reduce(0) { $0 + shares[$1] }
        return categories.indices.map { index in
            if thin.contains(index) { return minimum }
            return rest > 0 ? shares[index] / rest * (360 - reserved) : 0
        }
    }
}
