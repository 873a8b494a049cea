package import APIContract

/// The fields of a report that a member has made, in the export of the member's data.
package struct OwnReportFields: ObjectFields {
    package static let name = "OwnReport"
    package static let fields = OwnReportFields()

    package let kind = Field<String>("kind", "kind of the reported item: video, comment or profile")
    package let id = Field<String>("id", "identifier of the reported item")
    package let reason = Field<String>("reason", "reason of the report")
    package let text = Field<String>("text", "explanation in the member's own words; empty without one")
    package let reportedAt = Field<APITime>("reportedAt", "time of the report")

    package init() {}
}
