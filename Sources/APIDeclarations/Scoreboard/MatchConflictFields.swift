package import APIContract

/// The fields of an event that cannot be carried out any more.
package struct MatchConflictFields: ObjectFields {
    package static let name = "MatchConflict"
    package static let fields = MatchConflictFields()

    package let sequence = Field<Int>("sequence", "number of the event")
    package let reason = Field<String>("reason", "reason, for programs", .example("gameIsNotOver"))
    package let text = Field<String>("text", "reason, in English", .example("the game is not over yet"))

    package init() {}
}
