package import APIContract
package import APIDeclarations
import JSONDocument

/// Tables of members, of their uploads and of their notifications.
package enum CommunityTables {
    /// - Parameters:
    ///   - uploads: the rows.
    ///   - nothing: the text instead of a table without rows.
    package static func uploads(_ uploads: [APIObject<SentVideoFields>], nothing: String) -> String {
        var table = TextTable("ID", "NAME", "FILE", "STATE", "VIDEO", "PROBLEM")
        for upload in uploads {
            let problem: String? = upload.problem
            let error: String? = upload.error
            table.add(
                upload.id ?? "-", TextTable.short(upload.name ?? "-"), TextTable.short(upload.fileName ?? "-"),
                upload.state ?? "-", upload.video ?? "-", TextTable.short(problem ?? error ?? "-"))
        }
        return table.isEmpty ? nothing : table.text
    }

    /// - Parameter profile: somebody's profile, or the caller's own.
    package static func profile(_ profile: APIObject<some ObjectFields>) -> String {
        let (member, own) = (MemberProfileFields.fields, OwnProfileFields.fields)
        let fields: [any DeclaredField] = [
            member.username, member.videos, member.followers, member.followings, member.about, member.visibility,
            own.showsFollows, own.showsLikes,
        ]
        return ObjectTable.fields(of: profile, fields.filter { profile.json[$0.name] != nil })
    }

    /// - Parameters:
    ///   - notifications: the rows.
    ///   - nothing: the text instead of a table without rows.
    package static func notifications(_ notifications: [APIObject<NotificationFields>], nothing: String) -> String {
        var table = TextTable("ID", "CHANGED AT", "READ", "KIND", "COUNT", "BY", "ABOUT", "PAGE")
        for notification in notifications {
            let item = notification.items?.first
            let actor: String = item.map { $0.actor ?? "-" } ?? ""
            let video: String = item.map { $0.video?.name ?? "-" } ?? ""
            table.add(
                notification.id ?? "-", notification.changedAt?.text ?? "-",
                notification.readAt?.text == nil ? "no" : "yes", notification.kind ?? "-",
                notification.count.cell, actor, TextTable.short(video), notification.page ?? "-")
        }
        return table.isEmpty ? nothing : table.text
    }

    /// - Parameter preferences: the ways by which somebody is told.
    package static func preferences(_ preferences: APIObject<NotificationPreferencesFields>) -> String {
        let fields = NotificationPreferencesFields.fields
        var table = TextTable("GROUP", "WAYS")
        for (group, ways) in [
            (fields.newVideos, preferences.newVideos), (fields.newTopics, preferences.newTopics),
            (fields.aboutMe, preferences.aboutMe),
            (fields.followed, preferences.followed),
        ] {
            let names = ways?.content ?? []
            table.add(group.name, names.isEmpty ? "off" : names.joined(separator: ", "))
        }
        return table.text
    }

    /// - Parameter item: a reported item with its reports.
    package static func reports(of item: APIObject<ModeratedItemFields>) -> String {
        var table = TextTable("AT", "REASON", "DECIDED AT", "TEXT")
        for report in item.reports ?? [] {
            table.add(
                report.reportedAt?.text ?? "-", report.reason ?? "-", report.decidedAt?.text ?? "-",
                TextTable.short(report.text ?? "-"))
        }
        return table.text
    }
}
