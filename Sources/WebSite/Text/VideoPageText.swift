import Accounts
import Community
import Foundation
import HTTPEndpoints
import MediaCore
import SiteTexts
import Workflows

/// The texts of the pages of published videos and of moderation.
struct VideoPageText: SiteTextSection {
    static let section = "videos"

    let videos, search, newest, mostLiked, feed, publish, station: String
    let like, unlike, comment, send, answer, deleted, edited,
        held, hiddenComment,
        approve,
        delete: String
    let commentsClosed, logInToTakePart, report, reportText, reason, reported: String
    let hidden, appeal, appealed, owner, share, copied, more, notHere, unlisted: String
    let follow, unfollow: String
    let views, likes, comments, reports, ownVideos, followers, followings: PluralText
    let commentsHeading, followersOf, followingsOf, likersOf, nobodyHere: String
    let name, text, tags, visibility, commentPolicy, save, withdraw, edit, listed, onlyByAddress, day,
        competition: String
    let open, approval, closed, changedMeanwhile: String
    let latitude, longitude, usePlace, placeUnknown, placeRefused: String
    let moderation, nothingToDecide, restore, hide, deleteForGood, note, appealOf, saidWith: String
    let members, searchMembers, searchEverything, searchButton, noMembers, nothingFound, all, competitions: String
    let activity, news, followedLikes, ownLikes, nothingHappened, followsYou, likesYours, likesThis, commented,
        replied: String
    let profile, about, profileVisibility, everybody, membersOnly, showsFollows, showsLikes, yes, no, saved: String
    let hiddenMember, hiddenProfile, mute, unmute, block, unblock, warn, suspend, fromModerators: String
    let events: NamedTexts<ModerationRecord.Event>
    let reasons: NamedTexts<ReportReason>
    /// The reasons of errors, in place of those that the community gives in English.
    let refusals: [String: String]
    let language: SiteLanguage

    /// The names of the fields of a place.
    static let latitudeField = "latitude"
    static let longitudeField = "longitude"

    /// A moderator's decision, with the note about it.
    func record(_ record: ModerationRecord) -> String {
        let event = events[record.event] ?? record.event.rawValue
        return record.text.isEmpty ? event : "\(event): \(record.text)"
    }

    /// The reason of an error, with its field, in the language of the page.
    func sentence(_ error: Refusal) -> String {
        switch error.code {
        case .changedMeanwhile: changedMeanwhile
        case .invalidField where error.field == Self.latitudeField || error.field == Self.longitudeField: placeRefused
        case .loginNeeded: "\(logInToTakePart)."
        default:
            [error.field.flatMap(label), language == .english ? error.reason : reason(error)]
                .compactMap(\.self).joined(separator: ": ") + "."
        }
    }

    /// The label of a field of a form; `nil` for one that has none.
    private func label(of field: String) -> String? {
        switch field {
        case "name": name
        case "text": text
        case "tags": tags
        case "competition": competition
        case "day": day
        case "about": about
        default: nil
        }
    }

    private func reason(_ error: Refusal) -> String {
        if let range = error.range {
            return refusal("range").filled("from", with: "\(range.lowerBound)", ["to": "\(range.upperBound)"])
        }
        return switch (error.code, error.field) {
        case (.invalidField, "day"): refusal("day")
        case (.conflict, "competition"): refusal("competitionNotOpen")
        case (.notFound, _): refusal("notFound")
        case (.emptyField, _), (.missingFields, _): refusal("missingFields")
        case (.invalidField, _): refusal("invalidField")
        case (.forbidden, _): refusal("notAllowed")
        case (.tooMany, _): refusal("tooMany")
        case (.tooManyAttempts, _): refusal("tooOften")
        case (.conflict, _): refusal("conflict")
        default: refusal("reload")
        }
    }

    private func refusal(_ name: String) -> String { refusals[name] ?? name }
}
