import DatabaseTestSupport
import Events
import HTTPEndpoints
import LiveChannels
import Logging
import MediaCore
import RTSPServer
import Testing

@testable import OperatorAPI

struct MetricFamiliesTests {
    @Test func framesThatSlowReadersDidNotGetAreShown() throws {
        var statistics = RTSPServerStatistics()
        statistics.droppedUnitCount = 7
        let text = MetricsText.render(RTSPMetrics(statistics: statistics).families)
        #expect(text.contains("# TYPE antena_rtsp_reader_units_dropped_total counter\n"))
        #expect(text.contains("\nantena_rtsp_reader_units_dropped_total 7\n"))
    }

    @Test func familiesHaveOneNameEachAndCountersEndInTotal() {
        let families =
            RTSPMetrics(statistics: RTSPServerStatistics()).families + LiveChannelMetrics(channels: []).families
        #expect(Set(families.map(\.name)).count == families.count)
        for family in families { #expect((family.kind == .counter) == family.name.hasSuffix("_total")) }
    }

    @Test func theJournalIsShown() async throws {
        let place = try TestDatabase(.sqlite)
        let journal = try await EventJournal.open(
            place.open(), program: "test", logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        journal.note(NewEvent(.channelUp, EventSubject(.channel, "canalA"), at: journal.now))
        let listener = try journal.listen(by: AddressGroup(nil))
        let text = MetricsText.render(EventMetrics(journal: journal).families)
        #expect(text.contains("\nantena_events_queued 1\n") && text.contains("\nantena_event_listeners 1\n"))
        await journal.flush()
        #expect(MetricsText.render(EventMetrics(journal: journal).families).contains("\nantena_events_queued 0\n"))
        listener.end()
    }

    @Test func mediaThatChannelsHoldIsShown() throws {
        let preset = QualityPreset(
            name: "high", width: 1_280, height: 720, frameRate: 30, videoBitRate: 1, audioBitRate: 1)
        let channels = LiveChannelDirectory(
            configurations: ["canalA", "canalB"].map {
                ChannelConfiguration(name: $0, title: "", defaultPreset: "high", presets: [preset])
            }, store: nil, logger: Logger(label: "test"))
        let text = MetricsText.render(LiveChannelMetrics(channels: channels.all).families)
        #expect(
            text.contains("# TYPE antena_channel_held_bytes gauge\nantena_channel_held_bytes{channel=\"canalA\"} 0\n"))
        #expect(text.contains("\nantena_channel_held_bytes{channel=\"canalB\"} 0\n"))
    }
}
