import DASHConformance
import GatewayTestSupport
import HTTPTypes
import LiveChannels
import NIOCore
import NIOEmbedded
import Packaging
import Testing

@testable import HLSDelivery

/// DASH over HTTP: manifests, and segments that are sent while they are made.
struct ManifestDeliveryTests {
    private static let path = "/live/canalA.stream/manifest.mpd"
    private let publisher = RadioPublisher()

    private func connection() throws -> DeliveryChannel {
        try publisher.begin()
        publisher.push(segments: 2)
        publisher.push(frames: LowLatencyDeliveryTests.framesPerPart + 1)
        return try DeliveryChannel(.forMemory(publisher))
    }

    private func manifest(_ connection: DeliveryChannel, _ query: String = "") throws -> ManifestDocument {
        try connection.send(TestRequest.parts(Self.path + query))
        let answer = try #require(try connection.answers().first)
        #expect(answer.status == 200, "\(answer.text)")
        #expect(answer.head.headerFields[.contentType] == "application/dash+xml")
        #expect(answer.head.headerFields[.cacheControl] == "public, max-age=1")
        return try ManifestDocument(parsing: answer.text)
    }

    /// The addresses of the segments of the manifest's last period, the last of which is not complete.
    private func segments(_ manifest: ManifestDocument) throws -> [String] {
        try #require(manifest.periods.last?.renditions.first).segments.map { "/live/canalA.stream/\($0.address)" }
    }

    @Test func aPatchLeadsFromOneManifestToTheNext() throws {
        let connection = try connection()
        try connection.send(TestRequest.parts(Self.path))
        let old = try #require(try connection.answers().first).text
        publisher.push(segments: 2)
        try connection.send(TestRequest.parts(Self.path))
        let new = try #require(try connection.answers().first).text
        let match = try #require(old.firstMatch(of: /publishTime="([^"]+)"/))
        let time = try #require(ManifestDocument.date(String(match.1)))
        let path = "/live/canalA.stream/manifest.mpp"
        let published = Int64((time * 1_000).rounded())
        try connection.send(TestRequest.parts("\(path)?publishTime=\(published)"))
        let answer = try #require(try connection.answers().first)
        #expect(answer.status == 200, "\(answer.text)")
        #expect(answer.head.headerFields[.contentType] == "application/dash-patch+xml")
        #expect(answer.head.headerFields[.cacheControl] == "public, max-age=1")
        let applied = try ManifestPatchDocument(parsing: answer.text).applied(to: old)
        #expect(applied == (try ManifestDocument.elements(of: new)))
        for (query, status) in [("?publishTime=1", 410), ("?publishTime=x", 400), ("", 400)] {
            try connection.send(TestRequest.parts(path + query))
            let refusal = try #require(try connection.answers().first)
            #expect(refusal.status == status && refusal.head.headerFields[.cacheControl] == "no-store")
        }
    }

    @Test func aSegmentGrowsOnTheLineAndIsTheSameAfterwards() throws {
        let connection = try connection()
        let growing = try #require(try segments(try manifest(connection)).last)
        try connection.send(TestRequest.parts(growing))
        // The parts that are there, before the segment is complete.
        let begun = try connection.outbound()
        #expect(begun.head?.status == .ok && begun.head?.headerFields[.contentLength] == nil)
        #expect(begun.body.readableBytes > 0 && !begun.hasEnded)
        publisher.push(frames: LowLatencyDeliveryTests.framesPerPart)
        let more = try connection.outbound()
        #expect(more.head == nil && more.body.readableBytes > 0 && !more.hasEnded)
        publisher.push(segments: 1)
        let rest = try connection.outbound()
        #expect(rest.hasEnded)
        var body = begun.body
        body.writeImmutableBuffer(more.body)
        body.writeImmutableBuffer(rest.body)
        try connection.send(TestRequest.parts(growing))
        let complete = try #require(try connection.answers().first)
        #expect(complete.body == body)
        #expect(complete.head.headerFields[.contentLength] == "\(body.readableBytes)")
        #expect(complete.head.headerFields[.eTag] == begun.head?.headerFields[.eTag])
        #expect(complete.head.headerFields[.cacheControl] == begun.head?.headerFields[.cacheControl])
    }

    /// A player whose clock is a little fast asks before there is anything.
    @Test func theNextSegmentIsWaitedForAndNoOther() throws {
        let connection = try connection()
        publisher.push(segments: 1)
        let newest = try #require(try segments(try manifest(connection, "?ll=0")).last)
        let number = try #require(Int(newest.split(separator: "/").last?.dropLast(4) ?? ""))
        func address(_ number: Int) -> String {
            newest.replacing(/[0-9]+\.m4s$/, with: "\(number).m4s")
        }
        try connection.send(TestRequest.parts(address(number + 9)))
        #expect(try connection.answers().first?.status == 404)
        try connection.send(TestRequest.parts(address(number + 1)))
        publisher.push(segments: 1)
        #expect(try connection.outbound().hasEnded)
    }

    @Test func whatWillNotBeCompletedClosesTheConnection() throws {
        let connection = try connection()
        let growing = try #require(try segments(try manifest(connection)).last)
        try connection.send(TestRequest.parts(growing))
        #expect(try !connection.outbound().hasEnded)
        // Nothing has come for three target durations.
        connection.embedded.embeddedEventLoop.advanceTime(by: .seconds(19))
        #expect(try !connection.outbound().hasEnded)
        #expect(!connection.embedded.isActive)
        #expect(publisher.channel.heldRequestCount == 0)
    }

    @Test func whoLeavesIsForgotten() throws {
        let connection = try connection()
        let growing = try #require(try segments(try manifest(connection)).last)
        try connection.send(TestRequest.parts(growing))
        #expect(publisher.channel.heldRequestCount == 1)
        try connection.embedded.close().wait()
        #expect(publisher.channel.heldRequestCount == 0)
        publisher.push(segments: 1)
    }

    @Test func aHeadHasNoBodyAndARangeOfAGrowingSegmentIsTheWhole() throws {
        let connection = try connection()
        let growing = try #require(try segments(try manifest(connection)).last)
        try connection.send(TestRequest.parts(growing, method: .head))
        let head = try #require(try connection.answers().first)
        #expect(head.status == 200 && head.body.readableBytes == 0)
        try connection.send(TestRequest.parts(growing, fields: [.range: "bytes=0-"]))
        #expect(try connection.outbound().head?.status == .ok)
    }

    /// Clients of HTTP/1.0 know no chunks.
    @Test func whoClosesTheConnectionAfterwardsGetsTheWholeSegment() throws {
        let connection = try connection()
        let growing = try #require(try segments(try manifest(connection)).last)
        try connection.send(TestRequest.parts(growing, fields: [.connection: "close"]))
        #expect(try connection.outbound().head == nil)
        publisher.push(segments: 1)
        let answer = try #require(try connection.answers().first)
        #expect(answer.status == 200 && answer.head.headerFields[.contentLength] == "\(answer.body.readableBytes)")
    }

    /// A slow client holds a part, and no more than that, and it is counted.
    @Test func theMemoryOfAPartIsHeldByTheResponse() throws {
        let connection = try connection()
        let growing = try #require(try segments(try manifest(connection)).last)
        var segment = GrowingSegment(
            try Self.address(growing), of: publisher.channel, maximumWait: .seconds(1), waiterNumber: 1)
        guard case .part(let part, let holding) = segment.next(mayWait: true, on: connection.embedded.eventLoop) else {
            Issue.record("there is no part")
            return
        }
        #expect(holding.byteCount == part.byteCount && holding.part?.index == 0 && holding.isInWindow)
    }

    private static func address(_ path: String) throws -> LiveSegmentAddress {
        let parts = path.split(separator: "/").map(String.init)
        return LiveSegmentAddress(
            rendition: parts[3], epoch: parts[2],
            mediaSequence: try #require(Int(parts[4].dropLast(".m4s".count))))
    }

    @Test func noPlaylistHasTheNameOfTheManifest() throws {
        #expect(MediaRequest(target: "/live/canalA.stream/manifest.m3u8") == nil)
        #expect(MediaRequest(target: "/vod/film/manifest.m3u8") == nil)
    }

    /// The end of the window is always there.
    @Test(arguments: ["?start=99999999999", "?ll=0&start=99999999999", "?start=1"])
    func aManifestIsNeverEmpty(query: String) throws {
        let document = try manifest(try connection(), query)
        #expect(!(document.periods.last?.renditions.first?.segments.isEmpty ?? true))
    }

    @Test func nobodyIsBroadcasting() throws {
        let connection = try DeliveryChannel(.forMemory(publisher))
        try connection.send(TestRequest.parts(Self.path))
        #expect(try connection.answers().first?.status == 404)
        try connection.send(TestRequest.parts("/live/canalX.stream/manifest.mpd"))
        #expect(try connection.answers().first?.status == 404)
    }
}
