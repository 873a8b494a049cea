package import JSONDocument

/// Tables of published videos and of what was reported.
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
