import HTTPEndpoints
import Workflows

/// The share of a few categories in a whole, drawn as a pie by ``svg(_:)``.
package struct PieChart: Sendable, Equatable {
    /// One slice of the pie.
    package struct Category: Sendable, Equatable {
        /// The name; escaped when it is drawn.
        package var name: String
        /// The size of the category; never negative.
        package var count: Int

        /// Creates a slice; a negative count becomes 0.
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
    /// The unit after each of the counts, such as ` h`; empty for plain numbers.
    package var unit: String

    /// How the chart is drawn.
    package enum Form: String, Sendable, CaseIterable {
        case pie, bar
    }

    package init(
        title: String, categories: [Category], emptyText: String = "Nothing here yet", unit: String = ""
    ) {
        self.title = title
        self.categories = categories
        self.emptyText = emptyText
        self.unit = unit
    }

    /// The sum of all counts, or `Int.max` if it overflows.
    package var total: Int { shares.total }

    /// Whole percentages, one per category, that add up to 100 (or are all 0 if every count is 0).
    package var percentages: [Int] { shares.percentages }

    private var shares: Shares { Shares(categories.map(\.count)) }

    // MARK: Angles

    /// The smallest angle of a slice, in degrees. Thinner slices would be invisible; they are drawn this wide at the
    /// expense of the others.
    static let minimumAngle = 5.0

    /// The angles in degrees, one per category, that add up to 360 (or are all 0 if every count is 0).
    var angles: [Double] {
        let total = shares.sum
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
