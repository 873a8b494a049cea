import Accounts
import DatabaseTestSupport
import Features
import Foundation
import GatewayTestSupport
import HTTPEndpoints
import HTTPTypes
import JSONDocument
import LiveChannels
import LogMetadata
import Logging
import MediaCore
import Synchronization
import TestSupport
import Testing
import Workflows

@testable import WebSite

/// The operator's pages besides the dashboard: what its buttons do, settings, and the log.
@Suite(.eitherEngine, .timeLimit(.minutes(3))) struct OperatorPagesTests {
    private typealias Browser = AccountPagesTests.Browser

    /// A file whose changes are noted.
    private final class Reloader: ChannelsReloading {
        let edits = Mutex<[ConfigurationEdit]>([])
        let failure = Mutex<(any Error)?>(nil)
        let reloads = Mutex(0)

        func reload() async throws -> ChannelsReload {
            reloads.withLock { $0 += 1 }
            if let failure = failure.withLock({ $0 }) { throw failure }
            return ChannelsReload()
        }

        func configuration() async throws -> CurrentConfiguration {
            let document = try JSONParser.parse(
                ##"{"presets": {"low": {}, "high": {}}, "site": {"name": "<b>TV</b>", "accent": "#1c7c3c"}, "viewing": {"vod": "members"}, "channels": [{"name": "canalA"}]}"##
                    .utf8)
            return CurrentConfiguration(document: JSONText(document), version: "v1")
        }

        func change(
            _ edit: ConfigurationEdit, version: String?, isOnMachine: Bool
        ) async throws -> (outcome: ChannelsReload, version: String) {
            if let failure = failure.withLock({ $0 }) { throw failure }
            #expect(version == nil || version == "v1")
            edits.withLock { $0.append(edit) }
            return (ChannelsReload(), "v2")
        }
    }

    private let fixture: TestAccounts
    private let content = InMemoryContent()
    private let reloader = Reloader()
    private let table: EndpointTable

    init() async throws {
        fixture = try await TestAccounts()
        let machine = OperatorMachine {
            MachineState(
                freeByteCount: 50_000_000_000, diskByteCount: 100_000_000_000, residentByteCount: 80_000_000,
                load: 0.5, processorCount: 2)
        }
        let channels = [try InMemoryContent.channel("canalA", state: "live"), try InMemoryContent.channel("canalB")]
        content.state.withLock { $0.channels = channels }
        table = EndpointTable.serving(
            content, authority: TestOperator.authority(fixture.accounts), with: machine
        ) { [reloader] station in station.reloader = reloader }
    }

    private func administrator() async throws -> Browser {
        try await Browser.loggedIn("ana", .administrator, at: table, of: fixture)
    }

    @Test func aPublisherIsDisconnectedAndTheConfigurationReloaded() async throws {
        let ana = try await administrator()
        try await ana.open("/operator")
        try await ana.submit("/operator/canal/canalA", ["do": "disconnect"])
        #expect(content.state.withLock { $0.disconnected } == ["canalA"] && ana.html.contains("Done."))
        try await ana.submit("/operator/recargar")
        #expect(reloader.reloads.withLock { $0 } == 1)
        reloader.failure.withLock { $0 = ReloadError("<b>busy</b>") }
        try await ana.submit("/operator/recargar")
        #expect(ana.html.contains("&lt;b&gt;busy&lt;/b&gt;") && !ana.html.contains("<b>busy"))
        try await ana.submit("/operator/canal/canalA", ["do": "dance"])
        #expect(ana.status == .unprocessableContent)
    }

    /// A channel's page measures the time from the camera to the server, for those who may set it.
    @Test func onlyAdministratorsMeasureThePicturesClock() async throws {
        let (ana, bea) = (
            try await administrator(), try await Browser.loggedIn("bea", .operator, at: table, of: fixture)
        )
        try await ana.open("/directo/canalA")
        #expect(ana.html.contains(#"data-capture-clock="canalA""#) && ana.html.contains("The picture&#39;s clock"))
        try await bea.open("/directo/canalA")
        #expect(bea.status == .ok && !bea.html.contains("data-capture-clock"))
    }

    /// The forms need the token of the session, and the permission.
    @Test func nobodyElsePressesTheButtons() async throws {
        let ana = try await administrator()
        try await ana.post("/operator/canal/canalA", "do=disconnect")
        #expect(ana.status == .forbidden)
        let bea = try await Browser.loggedIn("bea", .member, at: table, of: fixture)
        for path in ["/operator/registro", "/operator/ajustes", "/operator/canal-nuevo", "/operator/components"] {
            try await bea.open(path)
            #expect(bea.status == .forbidden, "\(path)")
        }
        #expect(content.state.withLock { $0.disconnected } == [])
    }

    /// While others see a message, a manager looks at the site, and is told that nobody else does.
    @Test func aManagerSeesAStationInMaintenance() async throws {
        var face = StationFace()
        face.maintenance = "Back at ten"
        let table = EndpointTable.serving(
            content, authority: TestOperator.authority(fixture.accounts), with: CurrentFace(face))
        let ana = try await Browser.loggedIn("ana", .administrator, at: table, of: fixture)
        let bea = try await Browser.loggedIn("bea", .member, at: table, of: fixture)
        for path in ["/", "/directo"] {
            try await ana.open(path)
            #expect(ana.status == .ok && ana.html.contains("in maintenance") && !ana.html.contains("Back at ten"))
            try await bea.open(path)
            #expect(bea.status == .serviceUnavailable && bea.html.contains("Back at ten"))
        }
    }

    @Test func theStationIsDescribedInAForm() async throws {
        let ana = try await administrator()
        try await ana.open("/operator/ajustes")
        #expect(ana.html.contains("value=\"&lt;b&gt;TV&lt;/b&gt;\"") && !ana.html.contains("<b>TV"))
        try await ana.submit("/operator/ajustes/emisora", ["name": "Norte", "accent": "", "text-en": "For all"])
        let edit = try #require(reloader.edits.withLock { $0.last })
        guard case .settings(let patch) = edit else {
            Issue.record("not the settings: \(edit)")
            return
        }
        #expect(patch["site"]?["name"] == .string("Norte") && patch["site"]?["accent"] == .null)
        #expect(patch["site"]?["text"]?["en"] == .string("For all"))
    }

    /// What is removed from the text is removed from the file, and what stays is not sent.
    @Test func allSettingsAreChangedAsAText() async throws {
        let ana = try await administrator()
        try await ana.open("/operator/ajustes")
        try await ana.submit(
            "/operator/ajustes", ["document": #"{"presets": {"low": {}, "high": {}}, "site": {"name": "TV"}}"#])
        #expect(
            reloader.edits.withLock { $0 } == [
                .settings(
                    .object([
                        ("viewing", .null),
                        ("site", .object([("accent", .null), ("name", .string("TV"))])),
                    ]))
            ])
        try await ana.submit("/operator/ajustes", ["document": "{\"presets\": "])
        #expect(ana.status == .unprocessableContent && ana.html.contains("Nothing was saved"))
        #expect(ana.html.contains("{&quot;presets&quot;: "), "what was typed stays")
        reloader.failure.withLock { $0 = ConfigurationError(.changedMeanwhile, "x") }
        try await ana.submit("/operator/ajustes", ["document": "{}"])
        #expect(ana.status == .preconditionFailed && ana.html.contains("Somebody else has changed"))
    }

    @Test func aChannelIsAddedWithoutTouchingTheFile() async throws {
        let ana = try await administrator()
        try await ana.open("/operator/canal-nuevo")
        try await ana.submit(
            "/operator/canal-nuevo", ["name": "canalE", "title": "E", "dvrWindow": "30m", "record": "1"])
        guard case .setChannel("canalE", let channel)? = reloader.edits.withLock({ $0.last }) else {
            Issue.record("no channel")
            return
        }
        #expect(
            channel["presets"] == .array([.string("low"), .string("high")]) && channel["dvrWindow"] == .string("30m"))
        #expect(channel["record"] == .string("always"))
        try await ana.open("/operator/canal-nuevo")
        try await ana.submit("/operator/canal-nuevo", ["name": "canalA"])
        #expect(ana.status == .unprocessableContent && ana.html.contains("already"))
    }

    @Test func theLogIsFilteredAndShowsMarkupAsText() async throws {
        let ana = try await administrator()
        let mark = "mark\(UInt64.random(in: 0...UInt64.max))"
        LogTail.shared.add(.warning, "<i>\(mark)</i> lost", "peer.address=192.0.2.1")
        LogTail.shared.add(.debug, "\(mark) quiet", "")
        try await ana.open("/operator/registro?q=\(mark)")
        #expect(ana.html.contains("&lt;i&gt;\(mark)&lt;/i&gt; lost") && !ana.html.contains("<i>\(mark)"))
        #expect(ana.html.contains("peer.address=192.0.2.1") && !ana.html.contains("\(mark) quiet"))
        try await ana.open("/operator/registro?q=\(mark)&level=debug")
        #expect(ana.html.contains("\(mark) quiet"))
        try await ana.open("/operator/registro?q=\(mark)&level=error")
        #expect(ana.html.contains("There are no such lines."))
    }

    @Test func theLogKeepsItsNewestLines() {
        let tail = LogTail()
        for number in 1...(LogTail.maximumLineCount + 5) { tail.add(.info, "line \(number)", "") }
        #expect(tail.lines().count == LogTail.maximumLineCount && tail.lines().first?.message == "line 6")
        #expect(
            tail.lines(after: LogTail.maximumLineCount + 4).map(\.message) == ["line \(LogTail.maximumLineCount + 5)"])
    }

    @Test func graphsHaveFewPoints() {
        let line = Sparkline(values: (0..<180).map { Float($0) })
        #expect(line.points.split(separator: " ").count == 60 && line.highest == 179)
        #expect(Sparkline(values: [1]).points.isEmpty && Sparkline(values: []).points.isEmpty)
        #expect(Sparkline(values: [.nan, -.infinity, 2]).points == "0,34 80,34 160,2")
    }
}
