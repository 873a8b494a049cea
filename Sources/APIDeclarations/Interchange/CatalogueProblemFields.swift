package import APIContract

/// The fields of a problem of an import.
package struct CatalogueProblemFields: ObjectFields {
    package static let name = "CatalogueProblem"
    package static let fields = CatalogueProblemFields()

    package let entry = Field<Int>(
        "entry", "place of the entry in the list, or in the table after its header, from 1", .minimum(1))
    package let problem = Field<String>("problem", "reason why the entry could not be used")

    package init() {}
}
