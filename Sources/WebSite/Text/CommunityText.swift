import Community
import Foundation
import HTTPEndpoints
import MediaCore
import SiteTexts

/// The texts of the community's pages. Templates read the fields by name, as in `{{c.days}}`.
struct CommunityText: SiteTextSection {
    static let section = "community"

    let language: SiteLanguage
    let community, competitions, videos, introduction, search, none, noneFinished, finishedOnes, currentOnes: String
    let calendar, calendarOfAll, days, standings, scrolls, opensOn, timeZone, back, backToCompetition, follow,
        unfollow: String
    /// The words for states, and for a day of a number.
    let states: NamedTexts<CompetitionState>
    let dayOfNumber: String
    // For operators.
    let new, edit, name, description, timeZoneField, firstDay, dayCount, save, saved, create, editStandings,
        standingsText, table,
        tooLargeForForm: String
    let image, imageText, chooseImage, useImage, removeImage, imageNotUsable, imageTooLarge: String
    let delete, deleteText, changedMeanwhile, wrong: String
    /// The values that a field accepts, for one that it does not.
    let refusals: [String: String]

    func state(_ state: CompetitionState) -> String { states[state] ?? state.rawValue }

    func day(_ number: Int) -> String { dayOfNumber.filled("number", with: "\(number)") }

    /// A date with its weekday, such as `Friday 17 July 2026`.
    func weekday(_ date: CivilDate) -> String { text(date, .complete) }

    /// A date, such as `17 July 2026`.
    func date(_ date: CivilDate) -> String { text(date, .long) }

    /// The dates of a competition.
    func dates(_ schedule: CompetitionSchedule) -> String {
        schedule.dayCount == 1
            ? date(schedule.firstDay) : "\(date(schedule.firstDay)) – \(date(schedule.lastDay))"
    }

    private func text(_ date: CivilDate, _ style: Date.FormatStyle.DateStyle) -> String {
        Date(timeIntervalSince1970: Double(date.daysSince1970) * 86_400).formatted(
            Date.FormatStyle(date: style, time: .omitted, locale: Locale(identifier: language.locale), timeZone: .gmt))
    }
}
