package import APIContract
package import JSONDocument

/// The fields of a drawing with its lines.
package struct StrategyDrawingFields: ObjectFields {
    package static let name = "StrategyDrawing"
    package static let fields = StrategyDrawingFields()

    package let id = StrategyFields.fields.id
    package let strategyName = StrategyFields.fields.strategyName
    package let court = StrategyFields.fields.court
    package let strokes = ShownStrategyFields.fields.strokes
    package let revision = StrategyFields.fields.revision
    package let changedAt = StrategyFields.fields.changedAt

    package init() {}
}
