import Community
import MediaCore
import Workflows

/// A competition in a list.
struct CompetitionCard {
    let competition: Competition
    let now: WallClockTime
    /// Whether the visitor has the page of a competition that has not opened.
    let mayEdit: Bool

    func values(_ text: CommunityText) -> [String: Any] {
        let state = competition.state(at: now)
        var values = SitePage.placeholder(competition.name)
        values["name"] = SitePage.displayed(competition.name)
        values["dates"] = text.dates(competition.schedule)
        values["stateText"] = text.state(state)
        // A value of its own, because a template looks for a missing one in what is around it.
        values["picture"] = ResourcePaths.image(competition) ?? false
        if state != .closed || mayEdit {
            values["entry"] = CommunityPath.competition(competition.id)
        } else {
            values["opening"] = ["opensOn": text.opensOn].merging(Self.opening(competition.schedule, text)) { $1 }
        }
        return values
    }

    /// The day on which a competition opens.
    static func opening(_ schedule: CompetitionSchedule, _ text: CommunityText) -> [String: Any] {
        ["date": schedule.openingDay.description, "text": text.weekday(schedule.openingDay)]
    }
}
