package import APIContract

/// The fields of an item that members have reported, for moderators.
package struct ModeratedItemFields: ObjectFields {
    package static let name = "ModeratedItem"
    package static let fields = ModeratedItemFields()
    package static let columns = [
        TableColumn("KIND", fields.kind), TableColumn("ID", fields.id), TableColumn("REPORTS", fields.reportCount),
        TableColumn("HIDDEN", fields.hidden), TableColumn("OWNER", fields.owner),
        TableColumn("CLAIMED BY", fields.claimedBy), TableColumn("TEXT", fields.text, .short),
    ]

    package let kind = Field<String>("kind", "kind of the item", .oneOf("video", "comment", "profile", "topicComment"))
    package let id = Field<String>(
        "id", "ID of the video or comment, or of the account whose profile it is",
        .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let owner = Field<String?>(
        "owner", "username of the owner; null for an item of the station, and for an account that was deleted",
        .example("ana"))
    package let text = Field<String>(
        "text", "name of the video, text of the comment, or the member's description of themselves")
    package let hidden = Field<Bool>("hidden", "whether the item is hidden")
    package let reportCount = Field<Int>("reportCount", "number of members whose reports are open")
    package let reportedAt = Field<APITime>("reportedAt", "time of the first open report, or of the appeal")
    package let claimedBy = Field<String?>(
        "claimedBy", "moderator who deals with the item alone; null for nobody", .optional, .example("ana"))
    package let claimedUntil = Field<APITime?>(
        "claimedUntil", "time until which the moderator deals with it alone; null for nobody", .optional)
    package let decision = Field<String?>(
        "decision", "last decision: restored, hidden or deleted; null before the first", .optional, .example("hidden"))
    package let note = Field<String?>(
        "note", "note of the last decision, which the owner reads; null before the first", .optional)
    package let decidedAt = Field<APITime?>("decidedAt", "time of the last decision; null before the first", .optional)
    package let appeal = Field<String?>("appeal", "owner's appeal against the decision; null for none", .optional)
    package let appealedAt = Field<APITime?>("appealedAt", "time of the appeal; null for none", .optional)
    package let reports = Field<[APIObject<ModeratedItemReportFields>]>(
        "reports", "reports of members, without their names; not in lists", .optional)
    package let history = Field<[APIObject<ModerationRecordFields>]>(
        "history", "earlier decisions about the owner; not in lists", .optional)

    package init() {}
}
