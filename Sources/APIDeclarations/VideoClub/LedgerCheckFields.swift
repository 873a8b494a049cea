package import APIContract

/// The fields of the result of a check of the ledger.
package struct LedgerCheckFields: ObjectFields {
    package static let name = "LedgerCheck"
    package static let fields = LedgerCheckFields()

    package let movements = Field<Int>("movements", "number of movements")
    package let lines = Field<Int>("lines", "number of lines, two for each movement")
    package let accounts = Field<Int>("accounts", "number of members who have had credits")
    package let credits = Field<Int>("credits", "sum of the credits of all members")
    package let findings = Field<[String]>(
        "findings", "contradictions, a sentence each; empty if the ledger is in order")

    package init() {}
}
