import HTTPEndpoints
import SiteTexts

/// The texts of the form for announcements.
struct AnnouncementPageText: SiteTextSection {
    static let section = "announcements"

    let heading, explanation, text, audience, everyone, members, from, until, timeHint: String
    let publish, save, delete, edit, empty, dismiss, label: String
    let textMissing, textTooLong, wrongTime, wrongEnd, tooMany, changedMeanwhile: String

}
