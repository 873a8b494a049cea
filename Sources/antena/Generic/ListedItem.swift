import JSONDocument

/// A thing in a list.
protocol ListedItem: Sendable {
    var json: JSONText { get }
}
