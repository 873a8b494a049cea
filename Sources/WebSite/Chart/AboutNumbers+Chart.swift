import HTTPEndpoints

extension AboutNumbers {
    /// The pie chart of these counts, labelled in the language of `text`.
    func chart(_ text: SiteText = .english) -> PieChart {
        PieChart(
            title: text.chartTitle,
            categories: [
                PieChart.Category(name: text.liveChannels, count: liveChannels),
                PieChart.Category(name: text.videoTitles, count: titles),
                PieChart.Category(name: text.audioTracks, count: tracks),
            ],
            emptyText: text.chartEmpty)
    }
}
