/// The share of a few categories in a whole, drawn as a pie by ``svg()``.
package struct PieChart: Sendable, Equatable {
    /// One slice of the pie.
    package struct Category: Sendable, Equatable {
        /// The name; escaped when it is drawn.
        package var name: String
        /// The size of the category; never negative.
        package var count: Int

        package init(name: String, count: Int) {
            self.name = name
            self.count = max(0, count)
        }
    }

    /// The chart's title, also read by screen readers.
    package var title: String
    package var categories: [Category]
    /// The text shown instead of a pie if every count is 0.
    package var emptyText: String

    package init(title: String, categories: [Category], emptyText: String = "Nothing here yet") {
        self.title = title
        self.categories = categories
        self.emptyText = emptyText
    }

    /// The sum of all counts, or `Int.max` if it overflows.
    package var total: Int {
        categories.reduce(0) { $0.addingReportingOverflow($1.count).overflow ? .max : $0 + $1.count }
    }

    /// The sum of all counts, which cannot overflow as ``total`` can.
    private var sum: Double { categories.reduce(0) { $0 + Double($1.count) } }

    // MARK: Percentages

    /// Whole percentages, one per category, that add up to 100 (or are all 0 if every count is 0).
    ///
    /// The largest-remainder method: each share is rounded down, and the missing points go to the largest remainders,
    /// the earlier category first. A category that is not empty gets at least 1, taken from the largest category. So a
    /// nonzero share is never shown as 0 %, the sum stays 100 without a "<1 %", and the error of that share stays below
    /// one point. (This cannot hold for 100 or more categories; then the smallest stay 0.)
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

    /// The smallest angle of a slice, in degrees. Thinner slices would be invisible; they are drawn this wide at the
    /// expense of the others.
    static let minimumAngle = 5.0

    /// The angles in degrees, one per category, that add up to 360 (or are all 0 if every count is 0).
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
