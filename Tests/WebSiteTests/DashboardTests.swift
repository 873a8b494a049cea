import Accounts
import DatabaseTestSupport
import Features
import Foundation
import GatewayTestSupport
import HTTPEndpoints
import HTTPTypes
import LiveChannels
import Synchronization
import TestSupport
import Testing

@testable import WebSite

/// The operator's dashboard.
@Suite(.eitherEngine, .timeLimit(.minutes(3))) struct DashboardTests {
    private typealias Browser = AccountPagesTests.Browser

    private let fixture: TestAccounts
    private let content = InMemoryContent()
    private let table: EndpointTable

    init() async throws {
        fixture = try await TestAccounts()
        let machine = OperatorMachine {
            MachineState(
                freeByteCount: 5_000_000_000, diskByteCount: 100_000_000_000, residentByteCount: 80_000_000, load: 0.5,
                processorCount: 2)
        }
        table = EndpointTable.serving(content, authority: TestOperator.authority(fixture.accounts), with: machine)
    }

    @Test func anOperatorSeesWhatIsWrongAndWhatToDo() async throws {
        var channel = try InMemoryContent.channel("canalA", state: "interrupted")
        channel.title = "<b>A</b>"
        let error = #"{"at": \#(Date().timeIntervalSinceReferenceDate), "message": "the timestamps jumped"}"#
        channel.errors = [try JSONDecoder().decode(ChannelStatus.ReportedError.self, from: Data(error.utf8))]
        content.state.withLock { [channel] in $0.channels = [channel] }
        let ana = try await Browser.loggedIn("ana", .administrator, at: table, of: fixture)
        try await ana.open("/operator")
        let html = ana.html
        #expect(html.contains("&lt;b&gt;A&lt;/b&gt;: interrupted") && html.contains("viewers wait"))
        #expect(html.contains("the timestamps jumped") && html.contains("The disk is almost full"))
        #expect(html.contains("5 GB") && !html.contains("<b>A</b>"))
        #expect(html.contains(#"data-events="/operator/estado""#))
    }

    @Test func nobodyElseSeesIt() async throws {
        let member = try await Browser.loggedIn("bea", .member, at: table, of: fixture)
        try await member.open("/operator")
        #expect(member.status == .forbidden)
        try await member.open("/operator/estado")
        #expect(member.status == .forbidden)
    }
}
