package import APIContract

/// The fields of a video: a title that somebody has published.
package struct VideoFields: ObjectFields {
    package static let name = "Video"
    package static let fields = VideoFields()
    package static let columns = [
        TableColumn("ID", fields.id), TableColumn("NAME", fields.name, .short), TableColumn("TITLE", fields.title),
        TableColumn("OWNER", fields.owner), TableColumn("VISIBILITY", fields.visibility),
        TableColumn("STATE", fields.state), TableColumn("LIKES", fields.likes),
        TableColumn("COMMENTS", fields.comments),
    ]

    package let id = Field<String>("id", "identifier of the video", .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let title = Field<String>("title", "ID of the title that the video plays", .example("film"))
    package let name = Field<String>("name", "name of the video", .example("Start of the first stage"))
    package let text = Field<String>("text", "description of the video; empty for none", .optional)
    package let tags = Field<[String]>("tags", "tags of the video", .optional)
    package let competition = Field<String?>(
        "competition", "ID of the competition that the video is from; null for none", .optional,
        .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let competitionName = Field<String?>(
        "competitionName", "name of the competition; null for none", .optional, .example("Rally de Otoño"))
    package let day = Field<Int?>("day", "day of the competition, from 1; null for none", .optional)
    package let latitude = Field<Double?>(
        "latitude", "latitude of the place in degrees (WGS 84); null without a place", .optional)
    package let longitude = Field<Double?>(
        "longitude", "longitude of the place in degrees (WGS 84); null without a place", .optional)
    package let visibility = Field<String>(
        "visibility", "visibility: in lists, or reached by its address only", .oneOf("public", "unlisted"))
    package let commentPolicy = Field<String>(
        "commentPolicy", "policy for comments: open, shown after the owner's approval, or closed", .optional,
        .oneOf("open", "approval", "closed"))
    package let state = Field<String>(
        "state", "state: shown, or hidden by reports or a moderator", .oneOf("shown", "hidden"))
    package let owner = Field<String?>(
        "owner", "username of the owner; null for the station, and if the owner's profile is hidden", .optional,
        .example("ana"))
    package let publishedAt = Field<APITime>("publishedAt", "time of the publication", .optional)
    package let changedAt = Field<APITime>("changedAt", "time of the last change", .optional)
    package let likes = Field<Int>("likes", "number of likes")
    package let comments = Field<Int>("comments", "number of comments that are shown")
    package let views = Field<Int>("views", "number of views")
    package let liked = Field<Bool>("liked", "whether the sender likes the video")
    package let playlist = Field<String?>(
        "playlist",
        "address of the HLS playlist, for an unlisted video signed for 12 hours; null if it cannot be played",
        .example("/vod/film/playlist.m3u8"))
    package let poster = Field<String?>(
        "poster", "address of the poster; null if there is none", .optional, .example("/vod/film/poster.jpg"))
    package let page = Field<String>(
        "page", "path of the page about the video", .example("/comunidad/video/c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let moderation = Field<APIObject<VideoModerationFields>?>(
        "moderation", "state of its moderation, for its owner and moderators; null if it was never reported", .optional)

    package init() {}
}
