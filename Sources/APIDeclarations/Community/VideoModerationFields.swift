package import APIContract

/// The fields of the state of a video's moderation, for its owner and moderators.
package struct VideoModerationFields: ObjectFields {
    package static let name = "VideoModeration"
    package static let meaning: String? =
        "state of its moderation, for its owner and moderators; null if it was never reported"
    package static let fields = VideoModerationFields()

    package let reports = Field<Int>("reports", "number of members whose reports are open", .optional)
    package let decision = Field<String?>(
        "decision", "last decision: restored, hidden or deleted; null before the first", .optional, .example("hidden"))
    package let note = Field<String?>("note", "note of the last decision; null before the first", .optional)
    package let decidedAt = Field<APITime?>("decidedAt", "time of the last decision; null before the first", .optional)
    package let appealedAt = Field<APITime?>("appealedAt", "time of the owner's appeal; null for none", .optional)

    package init() {}
}
