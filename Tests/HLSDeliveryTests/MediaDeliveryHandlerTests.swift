import GatewayTestSupport
import HTTPTypes
import LiveChannels
import MediaCore
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import NIOPosix
import Synchronization
import Testing

@testable import HLSDelivery

struct MediaDeliveryHandlerTests {
    static let playlist = "/live/canalA.stream/playlist.m3u8"
    let publisher = RadioPublisher()

    private func liveConnection(segments: Int = 2) throws -> DeliveryChannel {
        try publisher.begin()
        publisher.push(segments: segments)
        return try DeliveryChannel(.forMemory(publisher))
    }

    // MARK: Who answers

    @Test func unknownRequestsReachTheRouterWithTheirBodies() throws {
        let connection = try liveConnection()
        try connection.send(TestRequest.parts("/api/v1/titles", method: .post, body: ["one", "two"]))
        #expect(connection.router.paths == ["/api/v1/titles"])
        #expect(connection.router.bodies == ["one", "two"])
        #expect(connection.router.endCount == 1)
        connection.router.answer("done")
        let answers = try connection.answers()
        #expect(answers.map(\.text) == ["done"] && answers[0].isComplete)
        // Media supports only GET and HEAD.
        for method in [HTTPRequest.Method.post, .put, .delete, .options] {
            try connection.send(TestRequest.parts(Self.playlist, method: method))
            connection.router.answer("")
        }
        #expect(connection.router.paths.count == 5)
    }

    @Test func mediaIsAnsweredWithoutTheRouter() throws {
        let connection = try liveConnection()
        try connection.send(TestRequest.parts(Self.playlist, body: ["a body that nobody wants"]))
        let multivariant = try #require(try connection.answers().first)
        #expect(multivariant.status == 200 && multivariant.isComplete)
        #expect(multivariant.head.headerFields[.contentType] == "application/vnd.apple.mpegurl")
        #expect(multivariant.head.headerFields[.vary] == "Accept-Encoding")
        #expect(multivariant.text.contains("audio.m3u8"))
        try connection.send(TestRequest.parts("/live/canalA.stream/audio.m3u8"))
        let media = try #require(try connection.answers().first)
        let uris = media.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(uris.count == 2)
        try connection.send(TestRequest.parts("/live/canalA.stream/\(uris[0])"))
        let segment = try #require(try connection.answers().first)
        #expect(segment.status == 200)
        #expect(segment.head.headerFields[.contentLength] == String(segment.body.readableBytes))
        #expect(segment.body.readableBytes > RadioPublisher.framesPerSegment * 200)
        let initialization = uris[0].split(separator: "/").dropLast().joined(separator: "/") + "/init-0.mp4"
        try connection.send(TestRequest.parts("/live/canalA.stream/\(initialization)"))
        let section = try #require(try connection.answers().first)
        #expect(section.head.headerFields[.contentType] == "audio/mp4")
        #expect(section.body.getString(at: 4, length: 4) == "ftyp")
        #expect(connection.router.paths.isEmpty && connection.router.bodies.isEmpty)
    }

    @Test func headHasTheSameFieldsAndNoBody() throws {
        let connection = try liveConnection()
        try connection.send(TestRequest.parts(Self.playlist))
        let whole = try #require(try connection.answers().first)
        let sent = publisher.channel.status().bytesOut
        #expect(sent == whole.body.readableBytes)
        try connection.send(TestRequest.parts(Self.playlist, method: .head))
        let head = try #require(try connection.answers().first)
        #expect(head.head == whole.head && head.isComplete)
        #expect(head.body.readableBytes == 0)
        #expect(publisher.channel.status().bytesOut == sent, "nothing was sent")
    }

    @Test func gzipIsSentToWhoTakesIt() throws {
        let connection = try liveConnection()
        try connection.send(TestRequest.parts(Self.playlist, fields: [.acceptEncoding: "gzip, br"]))
        let answer = try #require(try connection.answers().first)
        #expect(answer.head.headerFields[.contentEncoding] == "gzip")
        #expect(answer.body.getBytes(at: 0, length: 2) == [0x1F, 0x8B])
        #expect(answer.head.headerFields[.contentLength] == String(answer.body.readableBytes))
    }

    @Test(arguments: [
        ("/live/nada.stream/playlist.m3u8", "there is no channel nada"),
        ("/live/canalB.stream/playlist.m3u8", "nobody is broadcasting on canalB now"),
        ("/live/canalA.stream/subtitles.m3u8", "canalA has no rendition subtitles"),
        ("/live/canalA.stream/e/audio/0.m4s", "no longer available"),
        ("/live/canalA.stream/e/audio/init-0.mp4", "no longer available"),
    ])
    func whatThereIsNotIsAProblem(path: String, detail: String) throws {
        let connection = try liveConnection()
        try connection.send(TestRequest.parts(path))
        let answer = try #require(try connection.answers().first)
        #expect(answer.status == 404)
        #expect(answer.head.headerFields[.contentType] == "application/problem+json")
        #expect(answer.text.contains(detail))
    }

    @Test func viewersAreCountedByAddressAndAgent() throws {
        let connection = try liveConnection()
        for agent in ["VLC", "VLC", "mpv"] {
            try connection.send(TestRequest.parts(Self.playlist, fields: [.userAgent: agent]))
        }
        #expect(publisher.channel.status().viewers == 2)
        // The same connection may choose another variant a moment later.
        for name in ["audio", "ts"] {
            try connection.send(
                TestRequest.parts("/live/canalA.stream/\(name).m3u8", fields: [.userAgent: "mpv"]))
        }
        let status = publisher.channel.status()
        #expect(status.viewers == 2)
        let variants = status.viewersByVariant
        #expect([variants.video, variants.audio, variants.ts] == [0, 0, 1])
    }

    /// Believes every proxy.
    private struct Believer: ViewingAuthority {
        func isForEveryone(_ subject: MediaSubject) -> Bool { true }
        func isConcealed(_ subject: MediaSubject) -> Bool { false }
        func decideNow(_ request: ViewingRequest) -> ViewingDecision? { nil }
        func decide(_ request: ViewingRequest) async -> ViewingDecision { .allowed }
        func client(_ fields: HTTPFields, behind peer: SocketAddress?) -> String? {
            HTTPField.Name("X-Forwarded-For").flatMap { fields[$0] }
        }
    }

    /// All requests come over the one connection of a reverse proxy, with the same program.
    @Test(arguments: [true, false]) func viewersBehindAProxyAreCountedOneByOneIfItIsTrusted(_ isTrusted: Bool) throws {
        try publisher.begin()
        publisher.push(segments: 2)
        let connection = try DeliveryChannel(.forMemory(publisher, viewing: isTrusted ? Believer() : nil))
        let name = try #require(HTTPField.Name("X-Forwarded-For"))
        for client in ["198.51.100.1", "198.51.100.2", "198.51.100.1", "198.51.100.3"] {
            try connection.send(TestRequest.parts(Self.playlist, fields: [.userAgent: "VLC", name: client]))
        }
        #expect(publisher.channel.status().viewers == (isTrusted ? 3 : 1))
    }

    @Test func whoGetsNoPlaylistIsNoViewer() throws {
        let connection = try liveConnection()
        let idle = publisher.directory.all[1]
        try connection.send(TestRequest.parts("/live/canalB.stream/playlist.m3u8"))
        try connection.send(TestRequest.parts("/live/canalA.stream/subtitles.m3u8"))
        #expect(try connection.answers().map(\.status) == [404, 404])
        #expect(idle.status().viewers == 0 && publisher.channel.status().viewers == 0)
        try connection.send(TestRequest.parts(Self.playlist))
        #expect(publisher.channel.status().viewers == 1, "at once, though it asked a moment ago")
    }

    // MARK: Pipelining

    @Test func aQuickAnswerWaitsBehindASlowRoutedRequest() throws {
        let connection = try liveConnection()
        try connection.send(TestRequest.parts("/api/v1/slow") + TestRequest.parts(Self.playlist))
        #expect(try connection.answers().isEmpty)
        connection.router.interimResponse()
        #expect(try connection.answers().map(\.status) == [100])
        connection.router.answer("slow")
        let answers = try connection.answers()
        #expect(answers.count == 2 && answers.allSatisfy(\.isComplete))
        #expect(answers[0].text == "slow")
        #expect(answers[1].text.hasPrefix("#EXTM3U"))
    }

    @Test func aRoutedRequestWaitsBehindAPendingMediaAnswer() throws {
        try publisher.begin()
        let connection = try DeliveryChannel(.forMemory(publisher))
        try connection.send(
            TestRequest.parts(Self.playlist)
                + TestRequest.parts("/api/v1/next", method: .post, body: ["body"]) + TestRequest.parts(Self.playlist))
        #expect(connection.router.paths.isEmpty)
        #expect(try connection.answers().isEmpty)
        publisher.push(segments: 1)
        #expect(try connection.answers().map(\.status) == [200])
        #expect(connection.router.paths == ["/api/v1/next"])
        #expect(connection.router.bodies == ["body"])
        connection.router.answer("next")
        #expect(try connection.answers().map { $0.text.prefix(4) } == ["next", "#EXT"])
    }

    @Test func anAnswerBeforeTheEndOfTheRequestDoesNotMixThemUp() throws {
        let connection = try liveConnection()
        let parts = TestRequest.parts("/api/v1/upload", method: .post, body: ["one", "two"])
        try connection.send(Array(parts.prefix(2)))
        connection.router.answer("too large")
        try connection.send(Array(parts.dropFirst(2)) + TestRequest.parts(Self.playlist))
        #expect(connection.router.bodies == ["one", "two"])
        #expect(try connection.answers().map { $0.text.prefix(3) } == ["too", "#EX"])
    }

    @Test func thousandsOfPipelinedRequestsDoNotRecurse() throws {
        let connection = try liveConnection()
        try connection.send(TestRequest.parts("/api/v1/slow"))
        for _ in 0..<40_000 { try connection.send(TestRequest.parts(Self.playlist)) }
        connection.router.answer("slow")
        let answers = try connection.answers()
        #expect(answers.count == 40_001)
        #expect(answers.allSatisfy { $0.isComplete && $0.status == 200 })
    }

    @Test func pipelinedRoutedRequestsAreGivenOneByOne() throws {
        let connection = try liveConnection()
        for number in 0..<3 { try connection.send(TestRequest.parts("/api/v1/\(number)")) }
        for number in 0..<3 {
            #expect(connection.router.paths.count == number + 1)
            connection.router.answer("\(number)")
        }
        #expect(try connection.answers().map(\.text) == ["0", "1", "2"])
    }

    /// A client that sends requests without reading the responses holds one response.
    @Test func noAnswerIsBegunWhileTheOneBeforeItIsNotTaken() throws {
        let connection = try liveConnection()
        connection.embedded.isWritable = false
        for _ in 0..<3 { try connection.send(TestRequest.parts(Self.playlist)) }
        try connection.send(TestRequest.parts("/api/v1/titles"))
        connection.embedded.read()
        #expect(try connection.answers().isEmpty && connection.router.paths.isEmpty && connection.reads.count == 0)
        connection.embedded.isWritable = true
        connection.embedded.pipeline.fireChannelWritabilityChanged()
        #expect(try connection.answers().map(\.status) == [200, 200, 200])
        #expect(connection.router.paths == ["/api/v1/titles"] && connection.reads.count == 1)
    }

    @Test func aClientThatClosesItsSideAfterAskingGetsWhatItDidNotTakeAtOnce() throws {
        let connection = try liveConnection()
        connection.embedded.isWritable = false
        try connection.send(TestRequest.parts(Self.playlist))
        connection.embedded.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(connection.router.events.isEmpty)
        connection.embedded.isWritable = true
        connection.embedded.pipeline.fireChannelWritabilityChanged()
        #expect(try connection.answers().map(\.isComplete) == [true])
        #expect(connection.router.events == ["inputClosed"])
    }

    @Test func readingStopsWhileRequestsAreHeld() throws {
        let connection = try liveConnection()
        connection.embedded.read()
        let before = connection.reads.count
        try connection.send(TestRequest.parts("/api/v1/slow"))
        connection.embedded.read()
        #expect(connection.reads.count == before + 1, "the router may need the rest of a body")
        try connection.send(TestRequest.parts(Self.playlist))
        for _ in 0..<5 { connection.embedded.read() }
        #expect(connection.reads.count == before + 1)
        connection.router.answer("slow")
        #expect(connection.reads.count == before + 2, "once, however often it was asked for")
        connection.embedded.read()
        #expect(connection.reads.count == before + 3)
    }

    // MARK: The end of a connection

    @Test(arguments: ["close", "Close", "TE, close", "close,TE"])
    func aClientThatAsksToCloseIsAnsweredAndClosed(connectionField: String) throws {
        let connection = try liveConnection()
        try connection.send(
            TestRequest.parts(Self.playlist, fields: [.connection: connectionField])
                + TestRequest.parts("/api/v1/late"))
        #expect(try connection.answers().map(\.status) == [200])
        #expect(!connection.embedded.isActive)
        #expect(connection.router.paths.isEmpty)
    }

    @Test func otherwiseTheConnectionStaysOpen() throws {
        let connection = try liveConnection()
        for field in ["keep-alive", "closed", ""] {
            try connection.send(TestRequest.parts(Self.playlist, fields: [.connection: field]))
        }
        #expect(try connection.answers().count == 3)
        #expect(connection.embedded.isActive)
    }

    @Test func quiescingWaitsForTheAnswer() throws {
        try publisher.begin()
        let connection = try DeliveryChannel(.forMemory(publisher))
        try connection.send(TestRequest.parts(Self.playlist))
        connection.embedded.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        #expect(connection.router.events.isEmpty)
        publisher.push(segments: 1)
        #expect(try connection.answers().map(\.status) == [200])
        #expect(connection.router.events == ["quiesce"])
        connection.embedded.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        #expect(connection.router.events.count == 2, "at once where nothing is being answered")
    }

    /// A regression: `printf 'GET … GET …' | nc -N` used to get only the first response.
    @Test func aHalfClosedClientGetsEveryAnswer() throws {
        try publisher.begin()
        let connection = try DeliveryChannel(.forMemory(publisher))
        try connection.send(
            TestRequest.parts(Self.playlist) + TestRequest.parts("/api/v1/slow") + TestRequest.parts(Self.playlist))
        connection.embedded.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        publisher.push(segments: 1)
        #expect(try connection.answers().count == 1)
        #expect(connection.router.events.isEmpty, "the router would close under the last request")
        connection.router.answer("slow")
        #expect(try connection.answers().count == 2)
        #expect(connection.router.events == ["inputClosed"])
    }

    @Test func aHalfClosedClientsHeldRequestsComeBeforeTheEnd() throws {
        let connection = try liveConnection()
        try connection.send(TestRequest.parts("/api/v1/slow") + TestRequest.parts(Self.playlist))
        connection.embedded.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(connection.router.events.isEmpty, "the router would close before the playlist is sent")
        connection.router.answer("slow")
        #expect(try connection.answers().count == 2)
        #expect(connection.router.events == ["inputClosed"])
    }

    @Test func aClientThatHasGoneIsNotAnswered() throws {
        try publisher.begin()
        let connection = try DeliveryChannel(.forMemory(publisher))
        try connection.send(TestRequest.parts(Self.playlist) + TestRequest.parts(Self.playlist))
        try connection.embedded.close().wait()
        publisher.push(segments: 1)
        connection.embedded.embeddedEventLoop.advanceTime(by: .seconds(100))
        #expect(try connection.answers().isEmpty)
    }

    @Test func aSilentConnectionIsGivenUp() throws {
        let connection = try liveConnection()
        let eventLoop = connection.embedded.embeddedEventLoop
        eventLoop.advanceTime(by: .seconds(70))
        try connection.send(TestRequest.parts(Self.playlist))
        eventLoop.advanceTime(by: .seconds(74))
        #expect(connection.embedded.isActive, "the silence began with the last answer")
        eventLoop.advanceTime(by: .seconds(2))
        #expect(!connection.embedded.isActive)
    }

    @Test func theRouterMayTakeItsTime() throws {
        let connection = try liveConnection()
        let eventLoop = connection.embedded.embeddedEventLoop
        try connection.send(TestRequest.parts("/api/v1/events"))
        eventLoop.advanceTime(by: .hours(2))
        #expect(connection.embedded.isActive)
        connection.router.answer("at last")
        eventLoop.advanceTime(by: .seconds(74))
        #expect(connection.embedded.isActive)
        eventLoop.advanceTime(by: .seconds(80))
        #expect(!connection.embedded.isActive)
    }

    /// The client is silent, or sends a byte now and then; the body is small, or a file.
    @Test(arguments: [1_000, 60, 5], [false, true])
    func aRequestThatDoesNotEndIsGivenUp(_ secondsBetweenBytes: Int64, isUpload: Bool) throws {
        let connection = try liveConnection()
        let request = TestRequest.parts("/api/v1/titles", method: .post, body: ["b"])
        try connection.send(Array(request.prefix(1)))
        if isUpload { connection.embedded.triggerUserOutboundEvent(UploadExpected(), promise: nil) }
        var seconds: Int64 = 0
        while connection.embedded.isActive, seconds < 2_000 {
            if seconds % secondsBetweenBytes == 0 { try connection.send([request[1]]) }
            connection.embedded.read()
            seconds += 5
            connection.embedded.embeddedEventLoop.advanceTime(by: .seconds(5))
        }
        guard isUpload else {
            #expect(.seconds(seconds) == MediaConnectionState.smallBodyTimeout)
            return
        }
        let isSilent = secondsBetweenBytes > 75
        let expected = isSilent ? MediaDeliveryHandler.idleTimeout : ClientProgress.sendingTimeout
        let late = Duration.seconds(seconds) - expected
        #expect(late >= .zero && late <= MediaDeliveryHandler.idleTimeout + MediaConnectionState.progressInterval)
    }

    /// A regression: `PUT /api/v1/titles/film.mp4` at 2.5 KB/s was cut after ten minutes, regardless of its progress.
    @Test(arguments: ["/api/v1/titles/film.mp4", "/api/v1/uploads/1", "/any/other"])
    func anUploadThatMakesProgressIsNeverCut(path: String) throws {
        let connection = try liveConnection()
        try connection.send(Array(TestRequest.parts(path, method: .put).prefix(1)))
        connection.embedded.triggerUserOutboundEvent(UploadExpected(), promise: nil)
        let piece = HTTPRequestPart.body(ByteBuffer(repeating: 7, count: 12_500))
        for _ in 0..<(3 * 3_600 / 5) {
            try connection.send([piece])
            connection.embedded.read()
            connection.embedded.embeddedEventLoop.advanceTime(by: .seconds(5))
        }
        #expect(connection.embedded.isActive)
        connection.embedded.embeddedEventLoop.advanceTime(by: .seconds(100))
        #expect(!connection.embedded.isActive, "silence still ends it")
    }

    /// A slow disk delays reading of an upload; the client is silent because the server does not read.
    @Test func anUploadIsNotCutWhileTheServerDoesNotRead() throws {
        let connection = try liveConnection()
        try connection.send(Array(TestRequest.parts("/api/v1/titles", method: .post, body: ["b"]).prefix(2)))
        connection.embedded.triggerUserOutboundEvent(UploadExpected(), promise: nil)
        connection.embedded.embeddedEventLoop.advanceTime(by: .hours(1))
        #expect(connection.embedded.isActive)
        connection.embedded.read()
        connection.embedded.embeddedEventLoop.advanceTime(by: .seconds(60))
        #expect(connection.embedded.isActive, "the client's time begins when it may send")
        connection.embedded.embeddedEventLoop.advanceTime(by: .seconds(120))
        #expect(!connection.embedded.isActive)
    }

    /// The unsent bytes of a response, set by the test.
    private final class Unsent: Sendable {
        let byteCount = Atomic(0)
    }

    /// A segment over a slow network takes longer than any fixed timeout, long after the response was written.
    @Test func aSlowClientIsNotLetGoWhileItTakesSomething() throws {
        try publisher.begin()
        publisher.push(segments: 2)
        let unsent = Unsent()
        let connection = try DeliveryChannel(.forMemory(publisher)) { [unsent] _ in
            unsent.byteCount.load(ordering: .relaxed)
        }
        let eventLoop = connection.embedded.embeddedEventLoop
        try connection.send(TestRequest.parts(Self.playlist))
        connection.embedded.isWritable = false
        unsent.byteCount.store(8_000_000, ordering: .relaxed)
        for _ in 0..<100 {
            eventLoop.advanceTime(by: .seconds(20))
            unsent.byteCount.wrappingSubtract(30_000, ordering: .relaxed)
        }
        #expect(connection.embedded.isActive, "half an hour at 1.5 KB/s")
        eventLoop.advanceTime(by: .seconds(120))
        #expect(!connection.embedded.isActive, "but a client that takes nothing is let go")
    }

    @Test func aClientThatTakesDropsIsLetGo() throws {
        try publisher.begin()
        publisher.push(segments: 2)
        let unsent = Unsent()
        let connection = try DeliveryChannel(.forMemory(publisher)) { [unsent] _ in
            unsent.byteCount.wrappingSubtract(100, ordering: .relaxed).newValue
        }
        try connection.send(TestRequest.parts(Self.playlist))
        connection.embedded.isWritable = false
        unsent.byteCount.store(8_000_000, ordering: .relaxed)
        connection.embedded.embeddedEventLoop.advanceTime(by: .seconds(200))
        #expect(!connection.embedded.isActive)
    }

    /// Connections from one address that each request a segment and do not read it.
    private func idle(_ uris: [Substring], _ delivery: MediaDelivery) throws -> [DeliveryChannel] {
        try uris.map { uri in
            let connection = try DeliveryChannel(delivery)
            try connection.send(TestRequest.parts("/live/canalA.stream/\(uri)"))
            #expect(try connection.answers().first?.status == 200)
            connection.embedded.isWritable = false
            connection.embedded.pipeline.fireChannelWritabilityChanged()
            return connection
        }
    }

    @Test func segmentsThatHaveLeftTheWindowComeOutOfTheBudget() throws {
        // A segment has 1.9 MB, and one address may hold a quarter of the budget.
        publisher.frameByteCount = 20_000
        try publisher.begin()
        publisher.push(segments: 4)
        let budget = DeliveryBudget(maximumByteCount: 16 << 20)
        let delivery = MediaDelivery(
            channels: publisher.directory, titles: FakeTitles(), threadPool: NIOThreadPool(numberOfThreads: 1),
            budget: budget, clock: publisher.clock)
        let connection = try DeliveryChannel(delivery)
        try connection.send(TestRequest.parts("/live/canalA.stream/audio.m3u8"))
        let uris = try #require(try connection.answers().first).text.split(separator: "\n").filter {
            !$0.hasPrefix("#")
        }
        try #require(uris.count >= 3)
        let slow = try idle([uris[0], uris[0], uris[0], uris[1], uris[2]], delivery)
        func look() {
            for connection in slow {
                connection.embedded.embeddedEventLoop.advanceTime(by: TimeAmount(MediaConnectionState.progressInterval))
            }
        }
        look()
        #expect(budget.usedByteCount == 0, "the channel keeps them for everybody")
        publisher.push(segments: 40)
        look()
        #expect(slow.map(\.embedded.isActive) == [true, true, true, true, false], "there is no room for the third")
        #expect(budget.usedByteCount > 3_700_000 && budget.usedByteCount < 4 << 20, "each segment counts once")
        for connection in slow[...2] {
            connection.embedded.isWritable = true
            connection.embedded.embeddedEventLoop.advanceTime(by: TimeAmount(MediaConnectionState.progressInterval))
        }
        #expect(budget.usedByteCount < 2_000_000, "what has been taken is given back")
        try slow[3].embedded.close().wait()
        #expect(budget.usedByteCount == 0)
    }

    // MARK: The first segment

    @Test func theFirstSegmentIsWaitedForButNotForEver() throws {
        try publisher.begin()
        let connection = try DeliveryChannel(.forMemory(publisher))
        let eventLoop = connection.embedded.embeddedEventLoop
        try connection.send(TestRequest.parts(Self.playlist))
        eventLoop.advanceTime(by: .milliseconds(9_999))
        #expect(try connection.answers().isEmpty)
        eventLoop.advanceTime(by: .milliseconds(1))
        let late = try #require(try connection.answers().first)
        #expect(late.status == 503)
        #expect(late.head.headerFields[.retryAfter] == "1")
        try connection.send(TestRequest.parts("/live/canalA.stream/audio.m3u8"))
        publisher.push(segments: 1)
        #expect(try connection.answers().map(\.status) == [200])
        try connection.send(TestRequest.parts(Self.playlist))
        #expect(try connection.answers().map(\.status) == [200])
        eventLoop.advanceTime(by: .seconds(20))
        #expect(try connection.answers().isEmpty, "the timers are gone")
    }

    @Test func aPushThatEndsWithoutASegmentAnswersThoseWhoWait() throws {
        try publisher.begin()
        let connection = try DeliveryChannel(.forMemory(publisher))
        try connection.send(TestRequest.parts(Self.playlist))
        publisher.end()
        #expect(try connection.answers().map(\.status) == [404])
    }
}
