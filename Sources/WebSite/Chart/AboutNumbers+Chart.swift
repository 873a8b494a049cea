import HTTPEndpoints
import MediaCore
import SiteTexts
import Workflows

extension AboutNumbers {
    /// The pie chart of these counts, labelled in the language of `text`.
    func chart(_ text: SiteText = .of(.english)) -> PieChart {
        PieChart(
            title: text.chartTitle,
            categories: [
                PieChart.Category(name: text.liveChannels, count: liveChannels),
                PieChart.Category(name: text.videoTitles, count: titles),
                PieChart.Category(name: text.audioTracks, count: tracks),
            ],
            emptyText: text.chartEmpty)
    }

    /// The measure that a chart compares.
    enum Measure: String, CaseIterable {
        case count, duration
    }

    /// The chart of hours. A channel has no duration, so that it compares titles and tracks.
    static func chart(of durations: (titles: Duration, tracks: Duration), _ text: SiteText) -> PieChart {
        PieChart(
            title: text.chartOfHoursTitle,
            categories: [
                PieChart.Category(name: text.videoTitles, count: hours(durations.titles)),
                PieChart.Category(name: text.audioTracks, count: hours(durations.tracks)),
            ],
            emptyText: text.chartEmpty, unit: " h")
    }

    /// Whole hours; what lasts less than one counts as one.
    private static func hours(_ duration: Duration) -> Int {
        let seconds = max(0, duration.seconds)
        return seconds > 0 ? Int(max(1, (seconds / 3_600).rounded())) : 0
    }
}
