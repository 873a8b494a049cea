package import APIContract

/// The fields of a list of changes of matches.
package struct MatchChangesFields: ObjectFields {
    package static let name = "MatchChanges"
    package static let fields = MatchChangesFields()

    package let items = Field<[APIObject<MatchChangeFields>]>("items", "changes, in their order")
    package let last = Field<String>("last", "number of the last change, for `after`", .example("1234"))
    package let missed = Field<Bool>("missed", "whether changes between `after` and the first item are gone")

    package init() {}
}
