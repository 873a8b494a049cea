package import APIContract

/// The fields of a position that is written.
package struct PositionChangeFields: ObjectFields {
    package static let name = "PositionChange"
    package static let isClosed = true
    package static let fields = PositionChangeFields()

    package let position = Field<Double>(setting: PositionFields.fields.position, .minimum(0))
    package let duration = Field<Double>(setting: PositionFields.fields.duration, .minimum(0))

    package init() {}
}
