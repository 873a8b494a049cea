import Foundation
import GatewayTestSupport
import HTTPEndpoints
import Hummingbird
import HummingbirdCore
import LiveChannels
import Logging
import NIOCore
import NIOPosix
import Packaging
import ServiceLifecycle
import TestSupport
import Testing

@testable import Gateway
@testable import HLSDelivery

/// Delivery of titles over real sockets, with and without TLS: bytes that bypass the pipeline are the same.
@Suite(.timeLimit(.minutes(2)))
struct SocketDeliveryTests {
    private let threads = NIOThreadPool(numberOfThreads: 1)
    private let folder: TemporaryDirectory
    private let delivery: MediaDelivery
    private let segment: [UInt8]
    private let live: LiveSegment

    private static let path = "/vod/bunny/r1/audio/0.m4s"

    init() throws {
        folder = try TemporaryDirectory()
        threads.start()
        let publisher = RadioPublisher()
        // The title has 10 MB, more than a socket buffers.
        publisher.frameByteCount = 110_000
        try publisher.begin()
        publisher.push(segments: 3)
        live = try #require(publisher.channel.window().renditions.first?.listed.last)
        let title = try publisher.title(in: folder)
        let titles = FakeTitles()
        titles.set(.ready(title, revision: "r1"), at: .title(id: "bunny"))
        delivery = MediaDelivery(
            channels: publisher.directory, titles: titles, threadPool: threads, budget: DeliveryBudget())
        let read = try title.segment(
            0, of: title.renditions[0], allocator: ByteBufferAllocator(), cachedOnly: false)
        guard case .complete(let bytes)? = read else { throw CancellationError() }
        segment = Array(bytes.readableBytesView)
    }

    private func serving(
        connections: HTTPConnectionRegistry, isolation: isolated (any Actor)? = #isolation,
        _ body: (Int) async throws -> Void
    ) async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let configuration = HTTPConnectionConfiguration(budget: RequestBudget()) { [delivery] in
            [MediaDeliveryHandler(delivery: delivery)]
        }
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let router = EndpointTable.serving(InMemoryContent(), authority: TestOperator.authority()).router()
        let application = Application(
            router: router,
            server: HTTPServerBuilder { responder in
                LimitedChannel(
                    wrapped: PlainHTTPChannel(responder: responder, configuration: configuration), registry: connections
                )
            },
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in port.yield(channel.localAddress?.port ?? 0) }, logger: logger)
        let services = ServiceGroup(configuration: ServiceGroupConfiguration(services: [application], logger: logger))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await services.run() }
            var iterator = ports.makeAsyncIterator()
            guard let port = await iterator.next(isolation: isolation) else { return }
            try await body(port)
            await services.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    /// A registry without a reserve.
    private func registry(_ count: Int = 100) -> HTTPConnectionRegistry {
        HTTPConnectionRegistry(
            limits: .init(connectionCount: count, reservedCount: 0),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    private static func request(_ path: String, _ fields: String = "") -> [UInt8] {
        Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n".utf8)
    }

    /// The body, which follows the head.
    private static func body(_ answer: [UInt8]) -> ArraySlice<UInt8> {
        let end = Array("\r\n\r\n".utf8)
        guard let index = answer.indices.first(where: { answer[$0...].starts(with: end) }) else { return [] }
        return answer[(index + 4)...]
    }

    // `Data` compares megabytes at once; a loop over their elements takes seconds without optimization.
    @Test func aSegmentIsTheSameToTheByte() async throws {
        try await serving(connections: registry()) { port in
            let whole = try await RawConnection.connect(to: port, tls: nil).exchange(
                Self.request(Self.path, "Connection: close\r\n"))
            #expect(Data(Self.body(whole)) == Data(segment))
            let range = 100_000..<9_000_001
            let part = try await RawConnection.connect(to: port, tls: nil).exchange(
                Self.request(Self.path, "Range: bytes=100000-9000000\r\nConnection: close\r\n"))
            #expect(Data(Self.body(part)) == Data(segment[range]))
            // Two responses, one after the other, on one connection.
            let both = try await RawConnection.connect(to: port, tls: nil).exchange(
                Self.request(Self.path) + Self.request(Self.path, "Connection: close\r\n"))
            #expect(Data(Self.body(both).prefix(segment.count)) == Data(segment))
            #expect(Data(both.suffix(segment.count)) == Data(segment))
        }
        #expect(delivery.budget.usedByteCount == 0)
    }

    @Test func requestsThatTheRouterAnswersMayBeSentTogether() async throws {
        try await serving(connections: registry()) { port in
            let answers = try await RawConnection.connect(to: port, tls: nil).exchange(
                Self.request("/healthz") + Self.request("/healthz") + Self.request("/healthz", "Connection: close\r\n"))
            let text = String(decoding: answers, as: UTF8.self)
            #expect(text.split(separator: "HTTP/1.1 200 ").count == 3, "\(text)")
        }
    }

    @Test func aLiveSegmentIsTheSameForItsFirstAndItsLaterViewers() async throws {
        let bytes = live.bytes.flatMap { Array($0.readableBytesView) }
        let path = "/live/canalA.stream/\(live.epoch)/audio/\(live.mediaSequence).m4s"
        try await serving(connections: registry()) { port in
            var answers: [Data] = []
            for _ in 0..<4 {
                let answer = try await RawConnection.connect(to: port, tls: nil).exchange(
                    Self.request(path, "Connection: close\r\n"))
                #expect(Data(Self.body(answer)) == Data(bytes))
                answers.append(Data(answer))
            }
            // With the head, which comes from another place for each of the first three.
            #expect(answers.allSatisfy { $0 == answers[0] })
            let known = try await RawConnection.connect(to: port, tls: nil).exchange(
                Self.request(
                    path, "If-None-Match: \"\(live.epoch)-audio-\(live.mediaSequence)\"\r\nConnection: close\r\n"))
            #expect(known.starts(with: "HTTP/1.1 304 ".utf8) && Self.body(known).isEmpty)
            let part = try await RawConnection.connect(to: port, tls: nil).exchange(
                Self.request(path, "Range: bytes=70000-300000\r\nConnection: close\r\n"))
            #expect(Data(Self.body(part)) == Data(bytes[70_000...300_000]))
        }
        #expect(delivery.sharedSegments.byteCount >= bytes.count)
    }

    @Test func answersOfTheRouterAndOfTheSocketKeepTheirOrder() async throws {
        let segment = "/live/canalA.stream/\(live.epoch)/audio/\(live.mediaSequence).m4s"
        let playlist = "/live/canalA.stream/audio.m3u8"
        try await serving(connections: registry()) { port in
            // Fetched before, so that it is shared.
            for _ in 0..<2 {
                _ = try await RawConnection.connect(to: port, tls: nil).exchange(
                    Self.request(segment, "Connection: close\r\n"))
            }
            let paths = ["/healthz", playlist, segment, "/healthz", segment, playlist, playlist, "/healthz", segment]
            let requests = paths.flatMap { Self.request($0) } + Self.request("/healthz", "Connection: close\r\n")
            let all = try await RawConnection.connect(to: port, tls: nil).exchange(requests)
            var answers: ArraySlice<UInt8> = all[...]
            for path in paths {
                let text = String(decoding: answers.prefix(1_000), as: UTF8.self)
                let head = text.prefix(upTo: try #require(text.range(of: "\r\n\r\n")).lowerBound).lowercased()
                let type =
                    path == playlist ? "mpegurl" : path == segment ? "video/iso.segment" : "charset=utf-8"
                #expect(head.contains("200 ok") && head.contains(type), "\(path): \(head)")
                let length = try #require(head.firstMatch(of: /content-length: ([0-9]+)/)?.1)
                answers = answers.dropFirst(head.utf8.count + 4 + (try #require(Int(length))))
            }
            #expect(answers.starts(with: "HTTP/1.1 200".utf8))
        }
    }

    @Test func clientsThatDoNotReadLeaveTheServerItsMemory() async throws {
        try await serving(connections: registry()) { port in
            var idle: [any Channel] = []
            for _ in 0..<30 {
                let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                    .channelOption(.autoRead, value: false).channelOption(.socketOption(.so_rcvbuf), value: 4_096)
                    .connect(host: "127.0.0.1", port: port).get()
                try await channel.writeAndFlush(ByteBuffer(bytes: Self.request(Self.path)))
                idle.append(channel)
            }
            // Another client is served; all previous ones have been served by then.
            let whole = try await RawConnection.connect(to: port, tls: nil).exchange(
                Self.request(Self.path, "Connection: close\r\n"))
            #expect(Data(Self.body(whole)) == Data(segment))
            #expect(delivery.budget.usedByteCount <= 30 * FileTransfer.claimedByteCount)
            for channel in idle { try await channel.close() }
        }
        #expect(delivery.budget.usedByteCount == 0)
    }

    @Test func aConnectionBeyondTheLimitIsClosedAndTheNextOneServed() async throws {
        let connections = registry(2)
        try await serving(connections: connections) { port in
            var open: [any Channel] = []
            for _ in 0..<2 {
                open.append(
                    try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                        .connect(host: "127.0.0.1", port: port).get())
            }
            try await eventually { connections.count == 2 }
            let refused = try await RawConnection.connect(to: port, tls: nil).exchange(Self.request("/healthz"))
            #expect(refused.isEmpty)
            for channel in open { try await channel.close() }
            try await eventually { connections.count == 0 }
            let answer = try await RawConnection.connect(to: port, tls: nil).exchange(
                Self.request("/healthz", "Connection: close\r\n"))
            #expect(answer.starts(with: "HTTP/1.1 200".utf8))
        }
    }
}
