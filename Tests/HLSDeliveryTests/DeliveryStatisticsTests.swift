import GatewayTestSupport
import HTTPTypes
import LiveChannels
import MediaCore
import NIOCore
import NIOEmbedded
import NIOPosix
import Testing

@testable import HLSDelivery

/// The metrics of deliveries, with the event loop's clock in the test's hand.
struct DeliveryStatisticsTests {
    private static let audio = "/live/canalA.stream/audio.m3u8"
    private let publisher = RadioPublisher()
    private let statistics = DeliveryStatistics()

    private func connection() throws -> DeliveryChannel {
        try publisher.begin()
        publisher.push(segments: 2)
        return try DeliveryChannel(
            MediaDelivery(
                channels: publisher.directory, titles: FakeTitles(), threadPool: NIOThreadPool(numberOfThreads: 1),
                budget: DeliveryBudget(), clock: publisher.clock, statistics: statistics))
    }

    private func snapshot(_ kind: DeliveryKind) -> LatencyHistogram.Snapshot { statistics.latency(of: kind).snapshot }

    @Test func playlistsPartsAndSegmentsAreToldApart() throws {
        let connection = try connection()
        try connection.send(TestRequest.parts(Self.audio))
        let playlist = try #require(try connection.answers().first?.text)
        let part = try #require(playlist.firstMatch(of: /EXT-X-PART:[^\n]*URI="([^"]+)"/))
        let segment = try #require(playlist.firstMatch(of: /\n([^#\n]+[.]m4s)\n/))
        for path in [part.1, segment.1] { try connection.send(TestRequest.parts("/live/canalA.stream/\(path)")) }
        #expect(try connection.answers().map(\.status) == [200, 200])
        #expect(snapshot(.livePlaylist).count == 1 && snapshot(.livePart).count == 1)
        #expect(snapshot(.liveSegment).count == 1 && snapshot(.titleSegment).count == 0)
    }

    @Test func theWaitForMediaIsLeftOut() throws {
        let connection = try connection()
        try connection.send(TestRequest.parts("\(Self.audio)?_HLS_msn=2&_HLS_part=0"))
        connection.embedded.embeddedEventLoop.advanceTime(by: .seconds(3))
        #expect(snapshot(.livePlaylist).count == 0)
        publisher.push(frames: LowLatencyDeliveryTests.framesPerPart - 1)
        #expect(try connection.answers().first?.status == 200)
        #expect(snapshot(.livePlaylist).count == 1 && snapshot(.livePlaylist).sum == .zero)
    }

    @Test func failuresAndHeadRequestsAreNotMeasured() throws {
        let connection = try connection()
        try connection.send(TestRequest.parts("\(Self.audio)?_HLS_msn=x"))
        try connection.send(TestRequest.parts(Self.audio, method: .head))
        try connection.send(TestRequest.parts("/live/canalC.stream/audio.m3u8"))
        #expect(try connection.answers().map(\.status) == [400, 200, 404])
        #expect(DeliveryKind.allCases.allSatisfy { snapshot($0).count == 0 })
        #expect(statistics.denials == (0, 0))
    }

    @Test func partsThatArePublishedAreMeasuredByTheChannels() throws {
        try publisher.begin()
        #expect(publisher.directory.partLatency.snapshot.count == 0)
        publisher.push(segments: 1)
        #expect(publisher.directory.partLatency.snapshot.count == 5)
    }
}
