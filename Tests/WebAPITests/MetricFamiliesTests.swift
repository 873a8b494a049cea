import Accounts
import Database
import DatabaseTestSupport
import Events
import Features
import HLSDelivery
import HTTPTypes
import LiveChannels
import Logging
import MediaCore
import NIOCore
import RTSPServer
import Testing
import VideoClub

@testable import HTTPEndpoints
@testable import WebAPI

struct MetricFamiliesTests {
    private static func render(_ families: [MetricFamily]) -> String {
        String(buffer: MetricsText.render(families))
    }

    @Test func framesThatSlowReadersDidNotGetAreShown() throws {
        var statistics = RTSPServerStatistics()
        statistics.droppedUnitCount = 7
        let text = Self.render(RTSPMetrics(statistics: statistics).families)
        #expect(text.contains("# TYPE antena_rtsp_reader_units_dropped_total counter\n"))
        #expect(text.contains("\nantena_rtsp_reader_units_dropped_total 7\n"))
    }

    @Test func familiesKeepPrometheusRules() throws {
        let http = HTTPStatistics()
        http.record(.get, status: .ok, after: .milliseconds(3))
        http.record(.post, status: .forbidden, after: .seconds(30))
        let delivery = DeliveryStatistics()
        delivery.latency(of: .livePart).record(.microseconds(70))
        let database = DatabaseStatistics()
        database.writes.record(.milliseconds(1))
        let families =
            RTSPMetrics(statistics: RTSPServerStatistics()).families
            + LiveChannelMetrics(channels: [], partLatency: LatencyHistogram().snapshot).families
            + HTTPMetrics(http: http, delivery: delivery).families + DatabaseMetrics(statistics: database).families
            + AccountMetrics(statistics: LogInStatistics(), sessionCount: 3).families
            + ClubMetrics(statistics: ClubStatistics(), open: [.rented: 1]).families
        #expect(MetricsLint.problems(families) == [])
        #expect(
            MetricsLint.problems([
                MetricFamily(name: "antena_x_count", help: "", kind: .counter, value: 1),
                MetricFamily(name: "antena_x_count", help: "X.", kind: .gauge, value: 1),
            ]).count == 5)
    }

    @Test func answersOfTheRouterAreShownByMethodAndStatus() throws {
        let http = HTTPStatistics()
        http.record(.get, status: .ok, after: .microseconds(2_500))
        http.record(.get, status: .unauthorized, after: .zero)
        http.record(.options, status: .tooManyRequests, after: .zero)
        let text = Self.render(HTTPMetrics(http: http, delivery: DeliveryStatistics()).families)
        let name = "antena_http_request_duration_seconds"
        for line in [
            "# TYPE \(name) histogram", "\(name)_bucket{le=\"0.001\",method=\"GET\",status=\"2xx\"} 0",
            "\(name)_bucket{le=\"0.0025\",method=\"GET\",status=\"2xx\"} 1",
            "\(name)_bucket{le=\"+Inf\",method=\"GET\",status=\"2xx\"} 1",
            "\(name)_sum{method=\"GET\",status=\"2xx\"} 0.0025", "\(name)_count{method=\"GET\",status=\"4xx\"} 1",
            "\(name)_count{method=\"other\",status=\"4xx\"} 1",
            "antena_denials_total{path=\"router\",status=\"401\"} 1",
            "antena_denials_total{path=\"media\",status=\"403\"} 0", "antena_http_rate_limited_total 1",
        ] {
            #expect(text.contains("\(line)\n"), "\(line)")
        }
        #expect(!text.contains("method=\"PUT\""))
    }

    @Test func logInsAreShown() throws {
        let text = Self.render(AccountMetrics(statistics: LogInStatistics(), sessionCount: 7).families)
        #expect(text.contains("\nantena_logins_total{result=\"code-needed\",way=\"provider\"} 0\n"))
        #expect(text.contains("\nantena_sessions 7\n"))
        let without = AccountMetrics(statistics: LogInStatistics(), sessionCount: nil).families
        #expect(!without.contains { $0.name == "antena_sessions" })
    }

    @Test func theJournalIsShown() async throws {
        let place = try TestDatabase(.sqlite)
        let journal = try await EventJournal.open(
            place.open(), program: "test", logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        journal.note(NewEvent(.channelUp, EventSubject(.channel, "canalA"), at: journal.now))
        let listener = try journal.listen(by: AddressGroup(nil))
        let text = Self.render(EventMetrics(journal: journal).families)
        #expect(text.contains("\nantena_events_queued 1\n") && text.contains("\nantena_event_listeners 1\n"))
        await journal.flush()
        #expect(Self.render(EventMetrics(journal: journal).families).contains("\nantena_events_queued 0\n"))
        listener.end()
    }

    @Test func mediaThatChannelsHoldIsShown() throws {
        let preset = QualityPreset(
            name: "high", width: 1_280, height: 720, frameRate: 30, videoBitRate: 1, audioBitRate: 1)
        let channels = LiveChannelDirectory(
            configurations: ["canalA", "canalB"].map {
                ChannelConfiguration(name: $0, title: "", defaultPreset: "high", presets: [preset])
            }, logger: Logger(label: "test"))
        let text = Self.render(
            LiveChannelMetrics(channels: channels.all, partLatency: channels.partLatency.snapshot).families)
        #expect(
            text.contains("# TYPE antena_channel_held_bytes gauge\nantena_channel_held_bytes{channel=\"canalA\"} 0\n"))
        #expect(text.contains("\nantena_channel_held_bytes{channel=\"canalB\"} 0\n"))
    }
}
