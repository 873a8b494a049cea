package import JSONDocument

/// A value of one of two types.
package enum Either<First: APIValue, Second: APIValue>: APIValue {
    case first(First)
    case second(Second)

    package static func schema(_ components: inout SchemaComponents) -> JSONText {
        .object([("anyOf", .array([First.schema(&components), Second.schema(&components)]))])
    }
    package static var example: JSONText { First.example }

    package var json: JSONText {
        switch self {
        case .first(let value): value.json
        case .second(let value): value.json
        }
    }

    package init?(json: JSONText) {
        if let value = First(json: json) {
            self = .first(value)
        } else {
            guard let value = Second(json: json) else { return nil }
            self = .second(value)
        }
    }
}
