package import JSONDocument

/// Tables of published videos and of reported items.
package enum CommunityTables {
    /// - Parameter videos: videos in the API's representation.
    package static func videos(_ videos: [JSONNode]) -> String {
        var table = TextTable("ID", "NAME", "TITLE", "OWNER", "VISIBILITY", "STATE", "LIKES", "COMMENTS")
        for video in videos {
            table.add(
                video.text("id"), TextTable.short(video.text("name")), video.text("title"), video.text("owner"),
                video.text("visibility"), video.text("state"), video.text("likes"), video.text("comments"))
        }
        return table.isEmpty ? "no videos" : table.text
    }

    /// - Parameter uploads: what a member has sent, in the API's representation.
    package static func uploads(_ uploads: [JSONNode]) -> String {
        var table = TextTable("ID", "NAME", "FILE", "STATE", "VIDEO", "PROBLEM")
        for upload in uploads {
            table.add(
                upload.text("id"), TextTable.short(upload.text("name")), TextTable.short(upload.text("fileName")),
                upload.text("state"), upload.text("video"),
                TextTable.short(upload["problem"]?.string ?? upload.text("error")))
        }
        return table.isEmpty ? "nothing was sent" : table.text
    }

    /// - Parameter members: members in the API's representation.
    package static func members(_ members: [JSONNode]) -> String {
        var table = TextTable("USERNAME")
        for member in members { table.add(member.text("username")) }
        return table.isEmpty ? "no members" : table.text
    }

    /// - Parameter profile: a profile in the API's representation, somebody's or the caller's own.
    package static func profile(_ profile: JSONNode) -> String {
        let names = [
            "username", "videos", "followers", "followings", "about", "visibility", "showsFollows", "showsLikes",
        ]
        return TextTable.fields(of: profile, names.filter { profile[$0] != nil }).text
    }

    /// - Parameter activities: what has happened, in the API's representation.
    package static func activities(_ activities: [JSONNode]) -> String {
        var table = TextTable("AT", "WHAT", "WHO", "VIDEO", "TEXT")
        for activity in activities {
            table.add(
                activity.text("happenedAt"), activity.text("kind"), activity.text("actor"),
                TextTable.short(activity.text("videoName")), TextTable.short(activity.text("text")))
        }
        return table.isEmpty ? "nothing has happened" : table.text
    }

    /// - Parameter records: what moderators have decided, in the API's representation.
    package static func records(_ records: [JSONNode]) -> String {
        var table = TextTable("AT", "DECISION", "ABOUT", "ID", "TEXT")
        for record in records {
            table.add(
                record.text("happenedAt"), record.text("event"), record.text("kind"), record.text("id"),
                TextTable.short(record.text("text")))
        }
        return table.isEmpty ? "no decisions" : table.text
    }

    /// - Parameter items: reported items in the API's representation.
    package static func items(_ items: [JSONNode]) -> String {
        var table = TextTable("KIND", "ID", "REPORTS", "HIDDEN", "OWNER", "CLAIMED BY", "TEXT")
        for item in items {
            table.add(
                item.text("kind"), item.text("id"), item.text("reportCount"), item.text("hidden"), item.text("owner"),
                item.text("claimedBy"), TextTable.short(item.text("text")))
        }
        return table.isEmpty ? "nothing waits for a decision" : table.text
    }

    /// - Parameter notifications: notifications in the API's representation.
    package static func notifications(_ notifications: [JSONNode]) -> String {
        var table = TextTable("ID", "CHANGED AT", "READ", "KIND", "COUNT", "BY", "ABOUT", "PAGE")
        for notification in notifications {
            let item = notification["items"]?.elements?.first
            let names = [item?["video"]?.text("name"), item?.text("name")].compactMap(\.self)
            table.add(
                notification.text("id"), notification.text("changedAt"),
                notification["readAt"]?.string == nil ? "no" : "yes", notification.text("kind"),
                notification.text("count"), item?.text("actor") ?? "",
                TextTable.short(names.first { !$0.isEmpty } ?? ""), notification.text("page"))
        }
        return table.isEmpty ? "no notifications" : table.text
    }

    /// - Parameter preferences: the ways by which somebody is told, in the API's representation.
    package static func preferences(_ preferences: JSONNode) -> String {
        var table = TextTable("GROUP", "WAYS")
        for group in ["newVideos", "aboutMe", "followed"] {
            let ways = preferences[group]?.elements?.compactMap(\.string) ?? []
            table.add(group, ways.isEmpty ? "off" : ways.joined(separator: ", "))
        }
        return table.text
    }

    /// - Parameter item: a reported item with its reports.
    package static func reports(of item: JSONNode) -> String {
        var table = TextTable("AT", "REASON", "DECIDED AT", "TEXT")
        for report in item["reports"]?.elements ?? [] {
            table.add(
                report.text("reportedAt"), report.text("reason"), report.text("decidedAt"),
                TextTable.short(report.text("text")))
        }
        return table.text
    }
}
