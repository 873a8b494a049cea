import HTTPEndpoints
import HTTPTypes
import LiveChannels
import Logging
import MediaCore
import NIOCore
import TestSupport
import Testing
import WebIngest

@testable import Gateway

/// Requests that want to publish by WebSocket.
struct WebSocketUpgradeTests {
    private let upgrade: WebSocketUpgrade

    init() {
        let preset = QualityPreset(
            name: "medium", width: 640, height: 360, frameRate: 25, videoBitRate: 1_000_000, audioBitRate: 96_000)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let channels = LiveChannelDirectory(
            configurations: [
                ChannelConfiguration(name: "canalA", title: "A", defaultPreset: "medium", presets: [preset])
            ], logger: logger)
        upgrade = WebSocketUpgrade(
            ingest: IngestServer(channels: channels, admission: nil, logger: logger),
            publicAddress: PublicAddress(parsing: "https://tv.example.org"))
    }

    private func decide(
        _ path: String = "/ingest/canalA", _ change: (inout HTTPFields) -> Void = { _ in }
    ) -> WebSocketUpgrade.Decision {
        var fields: HTTPFields = [
            .connection: "keep-alive, Upgrade", .upgrade: "websocket", .secWebSocketVersion: "13",
            .secWebSocketKey: "dGhlIHNhbXBsZSBub25jZQ==", .cookie: "antena_session=secret",
        ]
        change(&fields)
        return upgrade.decide(
            HTTPRequest(method: .get, scheme: "http", authority: "10.0.0.5:8080", path: path, headerFields: fields),
            from: nil, isSecure: false)
    }

    private static func status(_ decision: WebSocketUpgrade.Decision) -> Int? {
        if case .refused(let status) = decision { status.code } else { nil }
    }

    /// The key and its answer are those of RFC 6455 §1.3.
    @Test func thePageOfTheSiteIsLetIn() throws {
        guard
            case .accepted(let response, let channel, let browser) = decide(
                "/ingest/canalA", { $0[.origin] = "http://10.0.0.5:8080" })
        else {
            Issue.record("refused")
            return
        }
        #expect(response.status == .switchingProtocols && channel == "canalA" && browser.session == "secret")
        #expect(response.headerFields[.secWebSocketAccept] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    }

    /// Another site's page must not use the visitor's login; a program without an origin has none.
    @Test func otherSitesAreNotLetIn() {
        for origin in ["http://evil.example", "http://10.0.0.5", "null", "http://10.0.0.5:8080.evil.example"] {
            #expect(Self.status(decide("/ingest/canalA") { $0[.origin] = origin }) == 403, "\(origin)")
        }
        guard case .accepted(_, _, let proxied) = decide("/ingest/canalA", { $0[.origin] = "https://tv.example.org" }),
            case .accepted(_, _, let program) = decide()
        else {
            Issue.record("refused")
            return
        }
        #expect(proxied.session == "secret" && program.session == nil)
    }

    @Test func whatIsNoWebSocketIsRefused() {
        #expect(Self.status(decide("/ingest/canalX")) == 404)
        #expect(Self.status(decide { $0[.upgrade] = nil }) == 426)
        #expect(Self.status(decide { $0[.secWebSocketVersion] = "8" }) == 426)
        #expect(Self.status(decide { $0[.secWebSocketKey] = "short" }) == 426)
        guard case .other = decide("/api/v1/channels") else {
            Issue.record("it was decided about")
            return
        }
    }
}
