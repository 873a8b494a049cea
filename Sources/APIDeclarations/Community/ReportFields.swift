package import APIContract

/// The fields of a report of a video, comment or profile.
package struct ReportFields: ObjectFields {
    package static let name = "Report"
    package static let isClosed = true
    package static let fields = ReportFields()

    package let reason = Field<String>(
        "reason", "reason of the report",
        .oneOf("spam", "violence", "nudity", "hate", "harassment", "copyright", "privacy", "other"))
    package let text = Field<String?>(
        "text", "explanation for the moderators; none if null or missing", .optional, .maximumLength(1000))

    package init() {}
}
