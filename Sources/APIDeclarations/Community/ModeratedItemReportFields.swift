package import APIContract

/// The fields of a member's report, for moderators.
package struct ModeratedItemReportFields: ObjectFields {
    package static let name = "ModeratedItemReport"
    package static let fields = ModeratedItemReportFields()

    package let reason = Field<String>(
        "reason", "reason of the report: spam, violence, nudity, hate, harassment, copyright, privacy or other",
        .optional, .example("spam"))
    package let text = Field<String>("text", "explanation by the member; empty for none", .optional)
    package let reportedAt = Field<APITime>("reportedAt", "time of the report", .optional)
    package let decidedAt = Field<APITime?>(
        "decidedAt", "time of the decision about it; null while it is open", .optional)

    package init() {}
}
