import Database

/// The orders of lists of titles and tracks. The raw values are the names in the API.
package enum RecordOrder: String, Sendable, Hashable, CaseIterable {
    /// The order of titles that `SortKey` defines.
    case title
    /// The most recently added first.
    case newest
    /// The shortest first; those whose duration is not known are the first of all.
    case duration
    /// The longest first.
    case longest = "-duration"

    /// The expression that a list is ordered by first; the ID is the second, except where no two keys are alike.
    var key: String {
        switch self {
        case .title: "sortKey"
        case .newest: "number"
        case .duration, .longest: Self.durationKey
        }
    }

    var isDescending: Bool { self == .newest || self == .longest }

    /// The expression that an index of the schema has, too.
    static let durationKey = "coalesce(duration, 0)"

    var isUnique: Bool { self == .newest }

    /// The terms of `ORDER BY`.
    func list(_ key: String, _ id: String) -> String {
        if isUnique { return "\(key) DESC" }
        return isDescending ? "\(key) DESC, \(id) DESC" : "\(key), \(id)"
    }

    /// The position of a key in a list's order, from a cursor.
    ///
    /// - Returns: `nil` if the text is not a key of this order.
    func value(ofKey text: String) -> SQLValue? {
        switch self {
        case .title: .text(text)
        case .newest: Int64(text).map(SQLValue.integer)
        case .duration, .longest: Double(text).flatMap { $0.isFinite ? SQLValue.real($0) : nil }
        }
    }
}
