/// The fields of `ProblemError`.
package struct ProblemErrorFields: ObjectFields {
    package static let name = "ProblemError"
    package static let fields = ProblemErrorFields()

    package let line = Field<Int?>("line")
    package let column = Field<Int?>("column")
    package let field = Field<String>("field")
    package let message = Field<String>("message")

    package init() {}
}
