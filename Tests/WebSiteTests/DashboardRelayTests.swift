import Accounts
import ChannelPublishing
import DatabaseTestSupport
import Features
import Foundation
import GatewayTestSupport
import HTTPEndpoints
import HTTPTypes
import LiveChannels
import Logging
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import StreamRelays
@testable import WebSite

/// What the dashboard shows of lines to publishers and of sources and restreams, and its buttons for them.
@Suite(.eitherEngine, .timeLimit(.minutes(3))) struct DashboardRelayTests {
    private typealias Browser = AccountPagesTests.Browser

    private struct NoRoute: RelayTransport {
        func run(_ progress: RelayProgress) async throws { throw RelayFailure("no <b>route</b>") }
    }

    private let fixture: TestAccounts
    private let content = InMemoryContent()
    private let relays: StreamRelays
    private let table: EndpointTable

    init() async throws {
        fixture = try await TestAccounts()
        let machine = OperatorMachine {
            MachineState(
                freeByteCount: 50_000_000_000, diskByteCount: 100_000_000_000, residentByteCount: 80_000_000,
                load: 0.5, processorCount: 2)
        }
        var channel = try InMemoryContent.channel("canalA", state: "live")
        let publisher = """
            {"transport": "SRT", "preset": "medium", "since": 0, "link": {"roundTripMilliseconds": 41.5,
             "lostPackets": 9, "retransmittedPackets": 7, "droppedPackets": 2}}
            """
        channel.publisher = try JSONDecoder().decode(ChannelStatus.PublisherStatus.self, from: Data(publisher.utf8))
        content.state.withLock { [channel] in $0.channels = [channel] }
        let preset = QualityPreset(
            name: "medium", width: 640, height: 360, frameRate: 25, videoBitRate: 1_000_000, audioBitRate: 96_000)
        var configuration = ChannelConfiguration(
            name: "canalA", title: "A", defaultPreset: "medium", presets: [preset])
        configuration.relays.source = "rtsp://ana:secret@192.0.2.1/camera"
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let channels = LiveChannelDirectory(configurations: [configuration], logger: logger)
        let relays = StreamRelays(channels: channels, logger: logger) { _, _ in NoRoute() }
        self.relays = relays
        table = EndpointTable.serving(
            content, authority: TestOperator.authority(fixture.accounts), with: machine
        ) { station in station.relays = relays }
    }

    @Test func anOperatorSeesTheLineAndStopsASource() async throws {
        let service = Task { [relays] in await relays.run() }
        defer { service.cancel() }
        func wait(for state: RelayStatus.State) async throws {
            _ = try await eventually("the source is \(state)") {
                relays.statuses.first?.state == state ? true : nil
            }
        }
        try await wait(for: .failing)
        let ana = try await Browser.loggedIn("ana", .administrator, at: table, of: fixture)
        try await ana.open("/operator")
        #expect(ana.html.contains("41.5 ms") && ana.html.contains("7 sent again, 2 too late"))
        #expect(ana.html.contains("canalA: Source does not work") && ana.html.contains("no &lt;b&gt;route"))
        #expect(ana.html.contains("rtsp://192.0.2.1:554/…") && !ana.html.contains("secret"))
        try await ana.submit("/operator/canal/canalA/source", ["do": "stop"])
        #expect(ana.html.contains("Done."))
        try await wait(for: .stopped)
        // What the page shows is read again after a moment.
        _ = try await eventually("the page shows it") {
            try await ana.open("/operator")
            return ana.html.contains("<span>stopped</span>") ? true : nil
        }
        #expect(!ana.html.contains("does not work"))
        try await ana.submit("/operator/canal/canalA/source", ["do": "start"])
        try await wait(for: .failing)
    }

    @Test func otherActionsAndPeopleAreRefused() async throws {
        _ = relays.reconcile()
        let ana = try await Browser.loggedIn("ana", .administrator, at: table, of: fixture)
        try await ana.open("/operator")
        try await ana.submit("/operator/canal/canalA/source", ["do": "dance"])
        #expect(ana.status == .unprocessableContent)
        let bea = try await Browser.loggedIn("bea", .member, at: table, of: fixture)
        try await bea.open("/operator")
        try await bea.post("/operator/canal/canalA/source", "do=stop")
        #expect(bea.status == .forbidden)
    }
}
