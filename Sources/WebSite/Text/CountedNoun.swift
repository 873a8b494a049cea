/// A noun in the forms that go with numbers. It cannot be written beside a number in any other way, so that no page
/// says "1 followers".
struct CountedNoun: Sendable {
    private let one: String
    private let many: String

    init(_ one: String, _ many: String) { (self.one, self.many) = (one, many) }

    /// A number with the noun.
    ///
    /// - Parameter isLimit: whether there may be more.
    func callAsFunction(_ count: some BinaryInteger, isLimit: Bool = false) -> String {
        "\(count)\(isLimit ? "+" : "") \(count == 1 ? one : many)"
    }

    /// The noun as a heading.
    var heading: String { many.withCapital }
}
