/// A value for each side.
package struct SidePair<Value> {
    package var a: Value
    package var b: Value

    package init(_ a: Value, _ b: Value) { (self.a, self.b) = (a, b) }

    package init(both value: Value) { self.init(value, value) }

    package subscript(side: MatchSide) -> Value {
        get { side == .a ? a : b }
        set { if side == .a { a = newValue } else { b = newValue } }
    }

    package func map<Other>(_ change: (Value) throws -> Other) rethrows -> SidePair<Other> {
        SidePair<Other>(try change(a), try change(b))
    }
}

extension SidePair: Sendable where Value: Sendable {}
extension SidePair: Equatable where Value: Equatable {}
extension SidePair: Hashable where Value: Hashable {}

extension SidePair<Int> {
    var total: Int { a + b }

    /// The side with more; `nil` if both have the same.
    package var leader: MatchSide? { a == b ? nil : a > b ? .a : .b }
}
