/// Changes of an operator's choices.
package struct DetailWishes: Sendable, Hashable {
    package enum Wish: Sendable, Hashable {
        case set(DetailValue)
        /// Takes the choice back, so that the notes or the file decide.
        case reset
    }

    private var wishes: [DetailField: Wish] = [:]

    package init() {}

    package subscript(field: DetailField) -> Wish? {
        get { wishes[field] }
        set { wishes[field] = newValue }
    }

    /// Changes what was chosen.
    package func apply(to chosen: inout ItemDetails) {
        for (field, wish) in wishes {
            switch wish {
            case .set(let value): chosen[field] = value
            case .reset: chosen[field] = nil
            }
        }
    }
}
