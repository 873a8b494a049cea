import APIDeclarations
import APIContract
import Features
import Foundation
import GatewayTestSupport
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import LiveChannels
import NIOCore
import Synchronization
import Testing

@testable import APIClient
@testable import HTTPEndpoints
@testable import JSONDocument
@testable import WebAPI
@testable import Workflows

struct ReloadEndpointTests {
    private let reloader = FakeReloader()

    private func post(isOperator: Bool = true) async throws -> TestResponse {
        let table = EndpointTable.serving(InMemoryContent()) { $0.reloader = reloader }
        return try await Application(router: table.router()).test(.live) { client in
            try await client.execute(
                uri: "/api/v1/reload", method: .post,
                headers: isOperator ? [.authorization: TestOperator.authorization] : [:])
        }
    }

    @Test func saysWhatHasChanged() async throws {
        var channels = LiveChannelChanges()
        (channels.added, channels.changed, channels.removed) = (["new"], ["other", "third"], ["old"])
        let outcome = ChannelsReload(channels: channels, unchangedChannelCount: 2, changesPresets: true)
        reloader.answer.withLock { $0 = .success(outcome) }
        let answer = try await post()
        #expect(answer.status == .ok)
        let report = ReloadReport(answer: try APIObject(parsing: answer.body.readableBytesView))
        #expect(
            report.text == """
                channels added: new
                channels changed: other, third
                channels removed: old
                presets changed; they apply to new publishers
                """)
        reloader.answer.withLock { $0 = .success(ChannelsReload(unchangedChannelCount: 4)) }
        let unchanged = ReloadReport(answer: try APIObject(parsing: try await post().body.readableBytesView))
        #expect(unchanged.text == "channels.json reloaded; no channel has changed")
    }

    @Test func saysEverythingThatIsWrongWithTheFile() async throws {
        let error = JSONFileError(
            file: "channels.json",
            issues: [
                JSONIssue(position: TextPosition(line: 3, column: 5), field: "channels[0].name", message: "a"),
                JSONIssue(position: nil, field: "", message: "b"),
            ])
        reloader.answer.withLock { $0 = .failure(error) }
        let answer = try await post()
        #expect(answer.status == .unprocessableContent)
        let problem = try JSONParser.parse(answer.body.readableBytesView)
        #expect(
            problem["detail"]?.string?.hasPrefix("channels.json:3:5: channels[0].name: a\nchannels.json: b\n") == true)
        let errors = try #require(problem["errors"]?.elements)
        #expect(
            errors.count == 2 && errors[0]["line"]?.integer == 3 && errors[0]["field"]?.string == "channels[0].name")
        #expect(errors[1]["line"]?.value == .null && errors[1]["message"]?.string == "b")
    }

    @Test func strangersMayNotReload() async throws {
        #expect(try await post(isOperator: false).status == .unauthorized)
    }

    @Test func saysToComeAgain() async throws {
        reloader.answer.withLock { $0 = .failure(ReloadError("busy")) }
        #expect(try await post().status == .serviceUnavailable)
    }
}
