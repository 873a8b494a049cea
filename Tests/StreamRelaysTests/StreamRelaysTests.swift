import ChannelPublishing
import LiveChannels
import Logging
import MediaCore
import NIOCore
import NIOEmbedded
import Synchronization
import TestSupport
import Testing

@testable import StreamRelays

/// When relays work, and when not.
struct StreamRelaysTests {
    /// A connection that lasts until it is cancelled, or fails at once.
    private final class Scripted: RelayTransport {
        let runCount = Mutex(0)
        let fails: Bool

        init(fails: Bool) { self.fails = fails }

        func run(_ progress: RelayProgress) async throws {
            runCount.withLock { $0 += 1 }
            if fails { throw RelayFailure("no route") }
            progress.started()
            progress.add(byteCount: 100)
            try await Task.sleep(for: .seconds(3_600))
        }
    }

    private static func configuration(_ change: (inout RelayPolicy) -> Void) -> ChannelConfiguration {
        let preset = QualityPreset(
            name: "medium", width: 640, height: 360, frameRate: 25, videoBitRate: 1_000_000, audioBitRate: 96_000)
        var configuration = ChannelConfiguration(
            name: "canalA", title: "A", defaultPreset: "medium", presets: [preset])
        change(&configuration.relays)
        return configuration
    }

    /// Runs the relays of a channel while `body` works.
    private static func relaying(
        _ configuration: ChannelConfiguration, _ transport: Scripted,
        _ body: (StreamRelays, LiveChannelDirectory) async throws -> Void
    ) async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let channels = LiveChannelDirectory(configurations: [configuration], logger: logger)
        let relays = StreamRelays(channels: channels, logger: logger) { _, _ in transport }
        let service = Task { await relays.run() }
        defer { service.cancel() }
        try await body(relays, channels)
        service.cancel()
        await service.value
    }

    private static func state(_ relays: StreamRelays, _ state: RelayStatus.State) async throws {
        _ = try await eventually("the relay is \(state): \(relays.statuses)") {
            relays.statuses(ofChannel: "canalA").first?.state == state ? true : nil
        }
    }

    @Test func aSourceRunsUntilItIsStopped() async throws {
        let transport = Scripted(fails: false)
        try await Self.relaying(Self.configuration { $0.source = "rtsp://192.0.2.1/a" }, transport) { relays, _ in
            try await Self.state(relays, .running)
            let status = try #require(relays.statuses(ofChannel: "canalA").first)
            #expect(status.byteCount == 100 && status.attemptCount == 1 && status.address == "rtsp://192.0.2.1:554/…")
            #expect(relays.set(status.identifier, isStopped: true))
            try await Self.state(relays, .stopped)
            #expect(relays.set(status.identifier, isStopped: false))
            try await Self.state(relays, .running)
            #expect(transport.runCount.withLock { $0 } == 2)
            let again = try #require(relays.statuses.first)
            #expect(again.byteCount == 100 && again.totalByteCount == 200 && again.attemptCount == 2)
            #expect(!relays.set(RelayIdentifier(channel: "canalA", kind: .restream(number: 1)), isStopped: true))
        }
    }

    @Test func aSourceThatFailsIsTriedAgain() async throws {
        let transport = Scripted(fails: true)
        try await Self.relaying(Self.configuration { $0.source = "rtsp://192.0.2.1/a" }, transport) { relays, _ in
            try await Self.state(relays, .failing)
            #expect(relays.statuses(ofChannel: "canalA").first?.reason == "no route")
            _ = try await eventually("there is a second attempt") {
                transport.runCount.withLock { $0 } >= 2 ? true : nil
            }
        }
    }

    @Test func nothingRunsForNobody() async throws {
        let transport = Scripted(fails: false)
        let configuration = Self.configuration {
            $0.source = "rtsp://192.0.2.1/a"
            $0.isOnDemand = true
            $0.restreams = ["rtmp://192.0.2.1/a/b"]
        }
        try await Self.relaying(configuration, transport) { relays, channels in
            _ = try await eventually("both are known") { relays.statuses.count == 2 ? true : nil }
            #expect(relays.statuses.allSatisfy { $0.state == .waiting })
            let channel = try #require(channels.channel(named: "canalA"))
            // The first viewer waits for a playlist.
            let loop = NIOAsyncTestingEventLoop()
            let waiting = channel.wait(for: .firstPart, identifier: 1, on: loop)
            try await Self.state(relays, .running)
            channel.stopWaiting(1)
            await loop.run()
            #expect(try await waiting.get() == false)
            try await Self.state(relays, .waiting)
            await loop.shutdownGracefully()
        }
    }
}
