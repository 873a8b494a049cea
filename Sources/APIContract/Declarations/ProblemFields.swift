/// The fields of `Problem`.
package struct ProblemFields: ObjectFields {
    package static let name = "Problem"
    package static let fields = ProblemFields()

    package let type = Field<String>("type", "/api/v1/docs# and a stable name, or about:blank if the status says all")
    package let title = Field<String>("title")
    package let status = Field<Int>("status")
    package let detail = Field<String>("detail", .optional)
    package let instance = Field<String>("instance", .optional)
    package let requestId = Field<String>(
        "requestId", "the request in the server's log; also in the header X-Request-ID", .optional, .minimumLength(1),
        .maximumLength(128))
    package let errors = Field<[APIObject<ProblemErrorFields>]>(
        "errors", "all mistakes in a configuration file", .optional)

    package init() {}
}
