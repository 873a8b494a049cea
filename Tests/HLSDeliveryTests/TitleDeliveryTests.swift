import Crypto
import Dispatch
import Foundation
import GatewayTestSupport
import HTTPTypes
import MediaCore
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import NIOPosix
import Packaging
import Synchronization
import TestSupport
import Testing

@testable import HLSDelivery

/// Delivery of titles and files, with a catalogue, threads and a disk.
@Suite(.timeLimit(.minutes(1)))
struct TitleDeliveryTests {
    /// Notes what is played.
    private final class Listener: PlaybackObserver {
        let played = Mutex<[TitlePlayback]>([])

        func played(_ playback: TitlePlayback) { played.withLock { $0.append(playback) } }
    }

    private final class Fixture: Sendable {
        let titles = FakeTitles()
        let folder: TemporaryDirectory
        let delivery: MediaDelivery
        let listener = Listener()
        private let threads = NIOThreadPool(numberOfThreads: 1)

        init(
            budget: DeliveryBudget = DeliveryBudget(), transportStreamMuxer: (any TransportStreamMuxer)? = nil
        ) throws {
            folder = try TemporaryDirectory()
            threads.start()
            delivery = MediaDelivery(
                channels: RadioPublisher().directory, titles: titles, threadPool: threads, budget: budget,
                transportStreams: transportStreamMuxer.map { TransportStreamMuxing($0) }, playback: listener)
        }

        deinit { threads.shutdownGracefully { _ in } }

        func addTitle(
            revision: String = "r1", frameByteCount: Int = 200, encryption: TitleEncryption? = nil
        ) throws {
            let publisher = RadioPublisher()
            publisher.frameByteCount = frameByteCount
            try publisher.begin()
            publisher.push(segments: 8)
            let title = try publisher.title(in: folder, name: "\(revision).mp4")
            let extras = TitleExtras(encryption: encryption)
            titles.set(.ready(title, revision: revision, extras: extras), at: .title(id: "bunny"))
        }

        func connect() async throws -> NIOAsyncTestingChannel {
            let delivery = delivery
            let channel = try await NIOAsyncTestingChannel { channel in
                try channel.pipeline.syncOperations.addHandlers([
                    WriteGate(), MediaDeliveryHandler(delivery: delivery), FakeRouter(),
                ])
            }
            try await channel.connect(to: SocketAddress(ipAddress: "192.0.2.9", port: 80)).get()
            return channel
        }

        func get(
            _ path: String, method: HTTPRequest.Method = .get, fields: HTTPFields = [:],
            on channel: NIOAsyncTestingChannel
        ) async throws -> ReceivedAnswer {
            for part in TestRequest.parts(path, method: method, fields: fields) {
                try await channel.writeInbound(part)
            }
            var parts: [HTTPResponsePart] = []
            while true {
                let part = try await channel.waitForOutboundWrite(as: HTTPResponsePart.self)
                parts.append(part)
                if case .end = part { return try #require(ReceivedAnswer.answers(parts).first) }
            }
        }
    }

    /// Holds back the completion of body writes when it is closed.
    final class WriteGate: ChannelOutboundHandler {
        typealias OutboundIn = HTTPResponsePart
        typealias OutboundOut = HTTPResponsePart

        var isClosed = false
        private(set) var bodyCount = 0
        private var waiting: [EventLoopPromise<Void>] = []

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            if case .body = unwrapOutboundIn(data) {
                bodyCount += 1
                if isClosed, let promise {
                    waiting.append(promise)
                    return context.write(data, promise: nil)
                }
            }
            context.write(data, promise: promise)
        }

        func handlerRemoved(context: ChannelHandlerContext) {
            for promise in waiting { promise.fail(ChannelError.ioOnClosedChannel) }
            waiting = []
        }

        func letOneThrough() {
            if !waiting.isEmpty { waiting.removeFirst().succeed(()) }
        }
    }

    @Test func playbackIsSegmentsThatAreSentAndNothingElse() async throws {
        let fixture = try Fixture()
        try fixture.addTitle()
        let channel = try await fixture.connect()
        _ = try await fixture.get("/vod/bunny/playlist.m3u8", on: channel)
        let media = try await fixture.get("/vod/bunny/audio.m3u8", on: channel)
        let uris = media.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        _ = try await fixture.get("/vod/bunny/r1/audio/init.mp4", on: channel)
        _ = try await fixture.get("/vod/bunny/\(uris[0])", method: .head, on: channel)
        _ = try await fixture.get("/vod/bunny/\(uris[0])", fields: [.range: "bytes=4-7"], on: channel)
        _ = try await fixture.get("/vod/bunny/r1/audio/999.m4s", on: channel)
        #expect(fixture.listener.played.withLock { $0.isEmpty })
        _ = try await fixture.get("/vod/bunny/\(uris[0])", on: channel)
        _ = try await fixture.get("/vod/bunny/\(uris[1])", fields: [.range: "bytes=0-"], on: channel)
        let played = fixture.listener.played.withLock { $0 }
        #expect(played.map(\.segment) == [0, 1] && played.allSatisfy { $0.subject == .title(id: "bunny") })
        #expect(played.allSatisfy { $0.duration > .zero && $0.peer?.ipAddress == "192.0.2.9" })
        let lengths = media.text.split(separator: "\n").compactMap { line in
            line.hasPrefix("#EXTINF:") ? Double(line.dropFirst("#EXTINF:".count).prefix { $0 != "," }) : nil
        }
        let difference = try #require(played.first).total - .seconds(lengths.reduce(0, +))
        #expect(difference.magnitude < .milliseconds(50))
        _ = try? await channel.finish()
    }

    @Test func aTitleIsDelivered() async throws {
        let fixture = try Fixture()
        try fixture.addTitle()
        let channel = try await fixture.connect()
        let multivariant = try await fixture.get("/vod/bunny/playlist.m3u8", on: channel)
        #expect(multivariant.status == 200 && multivariant.text.contains("audio.m3u8"))
        let media = try await fixture.get("/vod/bunny/audio.m3u8", on: channel)
        let uris = media.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(uris.count >= 2 && uris.allSatisfy { $0.hasPrefix("r1/audio/") })
        // The bytes come from the page cache or from the disk.
        var bodies: Set<[UInt8]> = []
        for _ in 0..<3 {
            let segment = try await fixture.get("/vod/bunny/\(uris[0])", on: channel)
            #expect(segment.status == 200)
            #expect(segment.head.headerFields[.eTag] == "\"r1-audio-0\"")
            bodies.insert(Array(segment.body.readableBytesView))
        }
        #expect(bodies.count == 1)
        #expect(fixture.delivery.budget.usedByteCount == 0, "what has been sent is given back")
        #expect(fixture.delivery.pieceBuffers.count <= 1, "one buffer served all of them")
        let part = try await fixture.get("/vod/bunny/\(uris[0])", fields: [.range: "bytes=4-7"], on: channel)
        #expect(part.status == 206 && part.text == "moof")
        let section = try await fixture.get("/vod/bunny/r1/audio/init.mp4", on: channel)
        #expect(section.head.headerFields[.contentType] == "audio/mp4")
        #expect(section.body.getString(at: 4, length: 4) == "ftyp")
        // The page of a title asks for chapters before it knows whether there are any.
        let chapters = try await fixture.get("/vod/bunny/chapters.json", on: channel)
        #expect(chapters.status == 200 && chapters.text.filter { !$0.isWhitespace } == "[]", "\(chapters.text)")
        #expect(fixture.titles.lookupCount < 9, "what is being watched is not looked up each time")
        _ = try? await channel.finish()
    }

    @Test(arguments: [
        ("/vod/nada/playlist.m3u8", 404, "there is no title \\\"nada\\\""),
        ("/vod/mp4:nada.mp4/playlist.m3u8", 404, "there is no title of the file \\\"nada.mp4\\\""),
        ("/vod/slow/playlist.m3u8", 503, "being transcoded"),
        ("/vod/failing/playlist.m3u8", 500, "cannot be read"),
        ("/vod/bunny/subtitles.m3u8", 404, "no rendition subtitles"),
        ("/vod/bunny/r0/audio/0.m4s", 404, "may have been replaced"),
        ("/vod/bunny/r1/audio/9999.m4s", 404, "may have been replaced"),
        ("/vod/bunny/r1/video/0.m4s", 404, "may have been replaced"),
        ("/vod/bunny/r0/audio/init.mp4", 404, "may have been replaced"),
        ("/vod/bunny/r1/audio/init-0.mp4", 404, "may have been replaced"),
        ("/vod/bunny/r1/audio/init-9223372036854775807.mp4", 404, "may have been replaced"),
        ("/vod/bunny/r1/nothing/init.mp4", 404, "may have been replaced"),
        ("/radio/nada/file", 404, "there is no track nada"),
        ("/radio/gone/file", 404, "its file has been removed"),
        ("/radio/failing/file", 500, "cannot be read"),
    ])
    func whatThereIsNotIsAProblem(path: String, status: Int, detail: String) async throws {
        let fixture = try Fixture()
        try fixture.addTitle()
        fixture.titles.set(.notReady(reason: "being transcoded"), at: .title(id: "slow"))
        let channel = try await fixture.connect()
        let answer = try await fixture.get(path, on: channel)
        #expect(answer.status == status)
        #expect(answer.head.headerFields[.contentType] == "application/problem+json")
        #expect(answer.text.contains(detail), "\(answer.text)")
        #expect(answer.head.headerFields[.cacheControl] == "no-store")
        #expect((answer.head.headerFields[.retryAfter] != nil) == (status == 503))
        _ = try? await channel.finish()
    }

    // MARK: Clients that do not read

    /// Lets no body writes complete until the test opens the gate.
    private func close(_ channel: NIOAsyncTestingChannel) async throws {
        try await channel.testingEventLoop.executeInContext {
            try channel.pipeline.syncOperations.handler(type: WriteGate.self).isClosed = true
        }
    }

    private func letOneThrough(_ channel: NIOAsyncTestingChannel) async throws {
        try await channel.testingEventLoop.executeInContext {
            try channel.pipeline.syncOperations.handler(type: WriteGate.self).letOneThrough()
        }
    }

    /// A regression: the whole segment of each client was in memory, and sixty clients of a 40 Mbit/s video used 1.8
    /// GB.
    @Test func aClientThatDoesNotReadHoldsOnePieceOfASegment() async throws {
        let fixture = try Fixture()
        try fixture.addTitle(frameByteCount: 20_000)
        let path = "/vod/bunny/r1/audio/1.m4s"
        let reading = try await fixture.connect()
        let whole = try await fixture.get(path, on: reading)
        #expect(whole.body.readableBytes > 1_500_000)
        var parts: [[HTTPResponsePart]] = []
        var channels: [NIOAsyncTestingChannel] = []
        for _ in 0..<20 {
            let channel = try await fixture.connect()
            try await close(channel)
            for part in TestRequest.parts(path) { try await channel.writeInbound(part) }
            var received: [HTTPResponsePart] = []
            for _ in 0..<2 { received.append(try await channel.waitForOutboundWrite(as: HTTPResponsePart.self)) }
            await Self.settle(fixture, channel)
            parts.append(received)
            channels.append(channel)
        }
        for (received, channel) in zip(parts, channels) {
            #expect(try await channel.readOutbound(as: HTTPResponsePart.self) == nil)
            let answer = try #require(ReceivedAnswer.answers(received).first)
            #expect(answer.body.readableBytes == FileTransfer.pieceByteCount)
            #expect(answer.head.headerFields[.contentLength] == String(whole.body.readableBytes))
        }
        #expect(fixture.delivery.budget.usedByteCount == 20 * FileTransfer.claimedByteCount)
        for channel in channels { try await channel.close().get() }
        #expect(fixture.delivery.budget.usedByteCount == 0)
        _ = try? await reading.finish()
    }

    @Test func aSlowClientGetsTheWholeSegmentToTheByte() async throws {
        let fixture = try Fixture()
        try fixture.addTitle(frameByteCount: 7_001)
        let path = "/vod/bunny/r1/audio/0.m4s"
        let channel = try await fixture.connect()
        let whole = try await fixture.get(path, on: channel)
        try await close(channel)
        for part in TestRequest.parts(path) { try await channel.writeInbound(part) }
        var parts: [HTTPResponsePart] = []
        while true {
            let part = try await channel.waitForOutboundWrite(as: HTTPResponsePart.self)
            parts.append(part)
            if case .end = part { break }
            // Each piece is copied before the buffer is reused, as by a socket.
            if case .body(let bytes) = part {
                parts[parts.count - 1] = .body(ByteBuffer(bytes: bytes.readableBytesView))
            }
            await Self.settle(fixture, channel)
            try await letOneThrough(channel)
        }
        #expect(parts.count > 5)
        #expect(ReceivedAnswer.answers(parts).first?.body == whole.body)
        let range = try await fixture.get(path, fields: [.range: "bytes=131000-300000"], on: fixture.connect())
        #expect(range.body == whole.body.getSlice(at: 131_000, length: 169_001))
        _ = try? await channel.finish()
    }

    @Test func anEncryptedSegmentIsEncryptedPieceByPiece() async throws {
        let (clear, fixture) = (try Fixture(), try Fixture())
        try clear.addTitle(frameByteCount: 20_000)
        let key = TitleKey(bytes: Array(0..<16))
        try fixture.addTitle(
            frameByteCount: 20_000,
            encryption: TitleEncryption(key: key, secret: SymmetricKey(size: .bits256), now: 1_800_000_000))
        let path = "/vod/bunny/r1/audio/1.m4s"
        let plain = try await clear.get(path, on: clear.connect()).body
        let whole = try key.encrypt(plain, of: "audio")
        let channel = try await fixture.connect()
        let answer = try await fixture.get(path, on: channel)
        #expect(answer.body == whole)
        #expect(answer.head.headerFields[.contentLength] == String(whole.readableBytes))
        for range in [
            0..<1, 15..<17, 131_055..<131_057, 1_000_000..<1_300_000, whole.readableBytes - 5..<whole.readableBytes,
        ] {
            let part = try await fixture.get(
                path, fields: [.range: "bytes=\(range.lowerBound)-\(range.upperBound - 1)"], on: channel)
            #expect(part.status == 206)
            #expect(part.body == whole.getSlice(at: range.lowerBound, length: range.count), "\(range)")
        }
        let idle = try await fixture.connect()
        try await close(idle)
        for part in TestRequest.parts(path) { try await idle.writeInbound(part) }
        for _ in 0..<2 { _ = try await idle.waitForOutboundWrite(as: HTTPResponsePart.self) }
        await Self.settle(fixture, idle)
        #expect(try await idle.readOutbound(as: HTTPResponsePart.self) == nil)
        #expect(fixture.delivery.budget.usedByteCount == FileTransfer.claimedByteCount)
        try await idle.close().get()
        #expect(fixture.delivery.budget.usedByteCount == 0)
        _ = try? await channel.finish()
    }

    /// Makes segments of a fixed size, when the test lets it.
    private final class HeldMuxer: TransportStreamMuxer {
        static let muxed = ByteBuffer(repeating: 0x47, count: 188 * 10_000)
        private let gate = DispatchSemaphore(value: 0)
        private let state = Mutex<Int?>(nil)

        /// The size of the media that is being muxed; `nil` before.
        var mediaByteCount: Int? { state.withLock { $0 } }

        func open() { gate.signal() }

        func mux(_ segment: TransportStreamSegment) throws -> ByteBuffer {
            state.withLock { $0 = segment.byteCount }
            gate.wait()
            return ByteBuffer(bytes: Self.muxed.readableBytesView)
        }
    }

    /// Muxing and encryption need the whole segment in memory. All of it counts, and afterwards what is kept of it.
    @Test func anEncryptedTransportStreamComesOutOfTheBudget() async throws {
        let key = TitleKey(bytes: Array(0..<16))
        let encryption = TitleEncryption(key: key, secret: SymmetricKey(size: .bits256), now: 1_800_000_000)
        let muxer = HeldMuxer()
        let fixture = try Fixture(transportStreamMuxer: muxer)
        try fixture.addTitle(frameByteCount: 20_000, encryption: encryption)
        let channel = try await fixture.connect()
        let media = try await fixture.get("/vod/bunny/ts.m3u8", on: channel)
        let uris = media.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        let path = "/vod/bunny/\(try #require(uris.first))"
        for part in TestRequest.parts(path) { try await channel.writeInbound(part) }
        let deadline = ContinuousClock.now + .seconds(20)
        while muxer.mediaByteCount == nil, ContinuousClock.now < deadline {
            await channel.testingEventLoop.run()
            try await Task.sleep(for: .milliseconds(5))
        }
        let mediaByteCount = try #require(muxer.mediaByteCount)
        #expect(mediaByteCount > 1_000_000)
        #expect(fixture.delivery.budget.usedByteCount >= MediaDelivery.muxingMemoryFactor * mediaByteCount)
        muxer.open()
        let answer = try await Self.answer(on: channel)
        let sealed = try key.encrypt(HeldMuxer.muxed, of: "ts")
        #expect(answer.status == 200 && answer.body == sealed)
        #expect(fixture.delivery.budget.usedByteCount == sealed.readableBytes, "it is kept for others")

        let small = try Fixture(
            budget: DeliveryBudget(maximumByteCount: MediaDelivery.muxingMemoryFactor * mediaByteCount - 1),
            transportStreamMuxer: muxer)
        try small.addTitle(frameByteCount: 20_000, encryption: encryption)
        let refusal = try await small.get(path, on: small.connect())
        #expect(refusal.status == 503)
        _ = try? await channel.finish()
    }

    @Test func requestsBeyondTheBudgetWaitAndAreThenToldToComeBack() async throws {
        let fixture = try Fixture(budget: DeliveryBudget(maximumByteCount: FileTransfer.claimedByteCount))
        try fixture.addTitle(frameByteCount: 20_000)
        let path = "/vod/bunny/r1/audio/1.m4s"
        let holder = try await fixture.connect()
        _ = try await fixture.get("/vod/bunny/audio.m3u8", on: holder)
        try await close(holder)
        for part in TestRequest.parts(path) { try await holder.writeInbound(part) }
        for _ in 0..<2 { _ = try await holder.waitForOutboundWrite(as: HTTPResponsePart.self) }
        let unlucky = try await fixture.connect()
        for part in TestRequest.parts(path) { try await unlucky.writeInbound(part) }
        while fixture.delivery.budget.waitingCount == 0 { await Self.settle(fixture, unlucky) }
        await unlucky.testingEventLoop.advanceTime(by: TimeAmount(DeliveryBudget.maximumWait))
        let refusal = try await Self.answer(on: unlucky)
        #expect(refusal.status == 503 && refusal.head.headerFields[.retryAfter] == "2")
        #expect(refusal.text.contains("no memory for more clients"))
        let lucky = try await fixture.connect()
        for part in TestRequest.parts(path) { try await lucky.writeInbound(part) }
        while fixture.delivery.budget.waitingCount == 0 { await Self.settle(fixture, lucky) }
        try await holder.close().get()
        #expect(try await Self.answer(on: lucky).status == 200)
        #expect(fixture.delivery.budget.usedByteCount == 0)
    }

    private static func answer(on channel: NIOAsyncTestingChannel) async throws -> ReceivedAnswer {
        var parts: [HTTPResponsePart] = []
        while true {
            parts.append(try await channel.waitForOutboundWrite(as: HTTPResponsePart.self))
            if case .end? = parts.last { return try #require(ReceivedAnswer.answers(parts).first) }
        }
    }

    // MARK: Files

    private func fileFixture(byteCount: Int) throws -> (fixture: Fixture, text: String) {
        let fixture = try Fixture()
        let text = String((0..<byteCount).map { Character(UnicodeScalar(UInt8(ascii: "a") + UInt8($0 % 23))) })
        try fixture.folder.write(text, to: "track.mp3")
        let media = try MediaFile(path: "\(fixture.folder.path)/track.mp3")
        fixture.titles.set(TrackFile(media: media, contentType: "audio/mpeg", etag: "\"1\""), id: "song")
        return (fixture, text)
    }

    @Test func aFileIsSentWholeAndInRanges() async throws {
        let byteCount = FileTransfer.pieceByteCount * 2 + 1_000
        let (fixture, text) = try fileFixture(byteCount: byteCount)
        let channel = try await fixture.connect()
        let whole = try await fixture.get("/radio/song/file", on: channel)
        #expect(whole.status == 200 && whole.text == text)
        #expect(whole.head.headerFields[.contentType] == "audio/mpeg")
        #expect(whole.head.headerFields[.contentLength] == String(byteCount))
        #expect(whole.head.headerFields[.acceptRanges] == "bytes")
        let ranges = [
            ("bytes=0-0", 0..<1), ("bytes=-5", byteCount - 5..<byteCount), ("bytes=100-", 100..<byteCount),
            ("bytes=131070-131080", 131_070..<131_081),
        ]
        for (header, expected) in ranges {
            let part = try await fixture.get("/radio/song/file", fields: [.range: header], on: channel)
            #expect(part.status == 206)
            #expect(part.head.headerFields[.contentLength] == String(expected.count))
            let last = expected.upperBound - 1
            #expect(part.head.headerFields[.contentRange] == "bytes \(expected.lowerBound)-\(last)/\(byteCount)")
            #expect(part.text == String(text.dropFirst(expected.lowerBound).prefix(expected.count)))
        }
        let outside = try await fixture.get("/radio/song/file", fields: [.range: "bytes=9999999-"], on: channel)
        #expect(outside.status == 416 && outside.body.readableBytes == 0)
        #expect(outside.head.headerFields[.contentRange] == "bytes */\(byteCount)")
        #expect(outside.head.headerFields[.cacheControl] == "no-store")
        let known = try await fixture.get("/radio/song/file", fields: [.ifNoneMatch: "\"1\""], on: channel)
        #expect(known.status == 304 && known.body.readableBytes == 0)
        let replaced = try await fixture.get(
            "/radio/song/file", fields: [.range: "bytes=0-1", .ifRange: "\"0\""], on: channel)
        #expect(replaced.status == 200)
        let head = try await fixture.get("/radio/song/file", method: .head, on: channel)
        #expect(head.head == whole.head && head.body.readableBytes == 0)
        _ = try? await channel.finish()
    }

    @Test func anEmptyFileIsEmpty() async throws {
        let (fixture, _) = try fileFixture(byteCount: 0)
        let channel = try await fixture.connect()
        let whole = try await fixture.get("/radio/song/file", on: channel)
        #expect(whole.status == 200 && whole.head.headerFields[.contentLength] == "0")
        let part = try await fixture.get("/radio/song/file", fields: [.range: "bytes=0-"], on: channel)
        #expect(part.status == 416)
        _ = try? await channel.finish()
    }

    @Test func theNextPieceIsReadOnlyWhenTheLastHasBeenWritten() async throws {
        let (fixture, text) = try fileFixture(byteCount: FileTransfer.pieceByteCount * 3)
        let channel = try await fixture.connect()
        try await channel.testingEventLoop.executeInContext {
            try channel.pipeline.syncOperations.handler(type: WriteGate.self).isClosed = true
        }
        for part in TestRequest.parts("/radio/song/file") { try await channel.writeInbound(part) }
        var parts = [try await channel.waitForOutboundWrite(as: HTTPResponsePart.self)]
        for piece in 1...3 {
            parts.append(try await channel.waitForOutboundWrite(as: HTTPResponsePart.self))
            await Self.settle(fixture, channel)
            let bodyCount = try await channel.testingEventLoop.executeInContext {
                try channel.pipeline.syncOperations.handler(type: WriteGate.self).bodyCount
            }
            #expect(bodyCount == piece, "a slow client holds one piece")
            try await channel.testingEventLoop.executeInContext {
                try channel.pipeline.syncOperations.handler(type: WriteGate.self).letOneThrough()
            }
        }
        parts.append(try await channel.waitForOutboundWrite(as: HTTPResponsePart.self))
        let answer = try #require(ReceivedAnswer.answers(parts).first)
        #expect(answer.isComplete && answer.text == text)
        _ = try? await channel.finish()
    }

    /// Waits until the thread pool and the event loop are idle.
    private static func settle(_ fixture: Fixture, _ channel: NIOAsyncTestingChannel) async {
        try? await fixture.delivery.threadPool.runIfActive {}
        await channel.testingEventLoop.run()
    }

    @Test func aFileThatShrinksWhileItIsSentClosesTheConnection() async throws {
        let (fixture, _) = try fileFixture(byteCount: FileTransfer.pieceByteCount * 2)
        let channel = try await fixture.connect()
        try await channel.testingEventLoop.executeInContext {
            try channel.pipeline.syncOperations.handler(type: WriteGate.self).isClosed = true
        }
        for part in TestRequest.parts("/radio/song/file") { try await channel.writeInbound(part) }
        _ = try await channel.waitForOutboundWrite(as: HTTPResponsePart.self)
        _ = try await channel.waitForOutboundWrite(as: HTTPResponsePart.self)
        try fixture.folder.write("short", to: "other")
        try FileHandle(forWritingTo: URL(fileURLWithPath: "\(fixture.folder.path)/track.mp3")).truncate(atOffset: 10)
        try await channel.testingEventLoop.executeInContext {
            try channel.pipeline.syncOperations.handler(type: WriteGate.self).letOneThrough()
        }
        try await channel.closeFuture.get()
        #expect(!channel.isActive)
    }
}

struct PublishedTitleCacheTests {
    private func titles() throws -> (TemporaryDirectory, PublishedTitleCache, RadioPublisher) {
        let publisher = RadioPublisher()
        try publisher.begin()
        publisher.push(segments: 3)
        return (try TemporaryDirectory(), PublishedTitleCache(), publisher)
    }

    @Test func aTitleIsKeptForItsLifetimeAndKeepsWhatWasRendered() throws {
        let (folder, cache, publisher) = try titles()
        let title = try publisher.title(in: folder)
        let address = TitleAddress.title(id: "bunny")
        let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)
        #expect(cache.title(at: address, now: start) == nil)
        let first = cache.store(title, revision: "r1", at: address, now: start)
        let rendered = try #require(first.playlist(named: "audio"))
        #expect(cache.title(at: address, now: start + .milliseconds(1_999)) === first)
        #expect(cache.title(at: .titleFile(name: "bunny"), now: start) == nil)
        let later = start + TimeAmount(PublishedTitleCache.lifetime)
        #expect(cache.title(at: address, now: later) == nil)
        let again = cache.store(title, revision: "r1", at: address, now: later)
        #expect(again === first && again.playlist(named: "audio") === rendered)
        let replaced = cache.store(title, revision: "r2", at: address, now: later)
        #expect(replaced !== first)
        let text = try #require(replaced.playlist(named: "audio")).plain
        #expect(String(buffer: text).contains("r2/audio/0.m4s"))
        #expect(replaced.playlist(named: "video") == nil)
    }

    /// While the database is away, nobody can look a title up.
    @Test func aTitleThatWasWatchedOutlivesItsLifetimeUnlessItCanBeLookedUp() throws {
        let (folder, cache, publisher) = try titles()
        let address = TitleAddress.title(id: "bunny")
        let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)
        #expect(cache.lastKnownTitle(at: address, now: start) == nil)
        let title = cache.store(try publisher.title(in: folder), revision: "r", at: address, now: start)
        let later = start + .minutes(4)
        #expect(cache.title(at: address, now: later) == nil)
        #expect(cache.lastKnownTitle(at: address, now: later) === title)
        // It counts as looked up, so that not every request has to wait for the database.
        #expect(cache.title(at: address, now: later + .milliseconds(1_999)) === title)
        #expect(cache.lastKnownTitle(at: address, now: later + .minutes(6)) == nil)
    }

    @Test func onlyTheNewestOfTheExpiredTitlesAreKept() throws {
        let (folder, cache, publisher) = try titles()
        let title = try publisher.title(in: folder)
        let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)
        let count = PublishedTitleCache.maximumKeptCount + 10
        for number in 0..<count {
            let now = start + .milliseconds(Int64(number))
            _ = cache.store(title, revision: "r", at: .title(id: "\(number)"), now: now)
        }
        let later = start + .minutes(1)
        _ = cache.store(title, revision: "r", at: .title(id: "new"), now: later)
        let kept = (0..<count).filter { cache.lastKnownTitle(at: .title(id: "\($0)"), now: later) != nil }
        #expect(kept == Array(10..<count))
    }

    @Test func theNumberOfTitlesIsBounded() throws {
        let (folder, cache, publisher) = try titles()
        let title = try publisher.title(in: folder)
        let now = NIODeadline.uptimeNanoseconds(1_000_000_000_000)
        for number in 0...PublishedTitleCache.maximumCount {
            _ = cache.store(title, revision: "r", at: .title(id: "\(number)"), now: now)
        }
        let held = (0...PublishedTitleCache.maximumCount).count { number in
            cache.title(at: .title(id: "\(number)"), now: now) != nil
        }
        #expect((1...PublishedTitleCache.maximumCount).contains(held))
        #expect(cache.title(at: .title(id: "\(PublishedTitleCache.maximumCount)"), now: now) != nil)
    }
}

/// Names with numbers in them.
extension MediaName: ExpressibleByStringInterpolation {}
