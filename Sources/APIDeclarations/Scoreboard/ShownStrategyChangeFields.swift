package import APIContract
package import JSONDocument

/// The fields of a drawing that is to be shown on the board of a channel.
package struct ShownStrategyChangeFields: ObjectFields {
    package static let name = "ShownStrategyChange"
    package static let isClosed = true
    package static let fields = ShownStrategyChangeFields()

    package let court = StrategyChangeFields.fields.court
    package let strokes = StrategyChangeFields.fields.strokes

    package init() {}
}
