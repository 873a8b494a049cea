package import APIContract

/// The fields of a time-out that runs.
package struct BoardTimeOutFields: ObjectFields {
    package static let name = "BoardTimeOut"
    package static let fields = BoardTimeOutFields()

    package let side = Field<String>("side", "side that takes it", .oneOf("a", "b"))
    package let endsAt = Field<APITime>("endsAt", "end")

    package init() {}
}
