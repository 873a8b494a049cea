import GatewayTestSupport
import HTTPTypes
import LiveChannels
import NIOCore
import NIOHTTP2
import NIOPosix
import Synchronization
import TestSupport
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(1))) struct HTTP2DeliveryTests {
    private let publisher = RadioPublisher()

    init() throws {
        try publisher.begin()
        publisher.push(segments: 4)
    }

    /// Paths of the playlists and of the resources in them, with the bodies from the delivery handler.
    private func expectedBodies() throws -> [String: ByteBuffer] {
        let channel = try DeliveryChannel(.forMemory(publisher))
        var bodies: [String: ByteBuffer] = [:]
        var targets = ["/live/canalA.stream/playlist.m3u8"]
        while let target = targets.popLast() {
            guard bodies[target] == nil else { continue }
            try channel.send(TestRequest.parts(target))
            guard let answer = try channel.answers().first, answer.status == 200 else { continue }
            bodies[target] = answer.body
            guard target.hasSuffix(".m3u8") else { continue }
            let folder = target.prefix(through: target.lastIndex(of: "/") ?? target.startIndex)
            let lines = answer.text.split(separator: "\n")
            let named =
                lines.filter { !$0.hasPrefix("#") }
                + lines.filter { $0.hasPrefix("#EXT-X-MAP:") || $0.hasPrefix("#EXT-X-MEDIA:") }.compactMap {
                    $0.split(separator: "URI=\"").dropFirst().first?.split(separator: "\"").first
                }
            targets += named.map { $0.hasPrefix("/") ? String($0) : "\(folder)\($0)" }
        }
        return bodies
    }

    @Test func oneConnectionCarriesManyAnswersAtOnce() async throws {
        let expected = try expectedBodies()
        // Multivariant and media playlist, initialization section, segments.
        #expect(expected.count >= 6)
        let targets = expected.keys.sorted()
        try await HTTPSServer.serving(delivery: .forMemory(publisher)) { server in
            let client = try await HTTP2Client.connect(to: server.port)
            try await withThrowingTaskGroup(of: (String, ReceivedAnswer).self) { group in
                for number in 0..<50 {
                    let target = targets[number % targets.count]
                    group.addTask { (target, try await client.send(target)) }
                }
                for try await (target, answer) in group {
                    #expect(answer.status == 200 && answer.body == expected[target], "\(target)")
                }
            }
            // The router answers on the same connection.
            let health = try await client.send("/healthz")
            #expect(health.status == 200)
            #expect(try await client.send("/live/canalA.stream/none.m3u8").status == 404)
            try await client.channel.close()
        }
    }

    @Test func headHasNoBody() async throws {
        try await HTTPSServer.serving(delivery: .forMemory(publisher)) { server in
            let client = try await HTTP2Client.connect(to: server.port)
            for path in ["/live/canalA.stream/playlist.m3u8", "/healthz"] {
                let answer = try await client.send(path, method: .head)
                #expect(answer.status == 200 && answer.body.readableBytes == 0, "\(path)")
            }
            try await client.channel.close()
        }
    }

    @Test func limitsAreDeclared() async throws {
        try await HTTPSServer.serving { server in
            let client = try await HTTP2Client.connect(to: server.port)
            for await frame in client.connectionFrames {
                guard case .settings(.settings(let settings)) = frame else { continue }
                let values = Dictionary(settings.map { ($0.parameter, $0.value) }) { $1 }
                #expect(values[.maxConcurrentStreams] == 100)
                #expect(values[.maxHeaderListSize] == 32_768)
                break
            }
            try await client.channel.close()
        }
    }

    // MARK: Ends of connections

    @Test func shutdownSaysGoodbye() async throws {
        let client = Mutex<HTTP2Client?>(nil)
        try await HTTPSServer.serving { server in
            let connected = try await HTTP2Client.connect(to: server.port)
            #expect(try await connected.send("/healthz").status == 200)
            client.withLock { $0 = connected }
        }
        let codes = try #require(await client.withLock { $0 }?.goAways())
        // On a busy machine NIO's handler may send a second one, PROTOCOL_ERROR, while the connection is being closed.
        #expect(codes.first == .noError, "\(codes)")
    }

    @Test func anIdleConnectionIsEndedOnlyWhenItHasNoStream() async throws {
        let timeouts = HTTPSTimeouts(idle: .milliseconds(100))
        try await HTTPSServer.serving(delivery: .forMemory(publisher), timeouts: timeouts) { server in
            // A connection without any request, and one with a request.
            for hasAsked in [false, true] {
                let client = try await HTTP2Client.connect(to: server.port)
                if hasAsked { #expect(try await client.send("/healthz").status == 200) }
                #expect(await client.goAways().first == .noError)
            }
            // A stream that waits longer for its response keeps its connection open: for a segment that has not come.
            let playlist = "/live/canalA.stream/audio.m3u8"
            let text = String(buffer: try #require(try expectedBodies()[playlist]))
            let sequence = text.firstMatch(of: /EXT-X-MEDIA-SEQUENCE:(\d+)/).flatMap { Int($0.1) } ?? 0
            let next = sequence + text.split(separator: "\n").count { $0.hasPrefix("#EXTINF") }
            let waiting = try await RawConnection.connect(
                to: server.port, tls: try TestTLS.clientContext(protocols: ["h2"]))
            let open = RawFrame.frame(
                .headers, flags: RawFrame.endHeaders | RawFrame.endStream, stream: 1,
                RawFrame.request("\(playlist)?_HLS_msn=\(next)"))
            async let received = waiting.exchange(RawFrame.preface + open)
            let other = try await HTTP2Client.connect(to: server.port)
            #expect(await other.goAways().first == .noError)
            #expect(waiting.channel.isActive)
            try await waiting.channel.close()
            #expect(try await RawFrame.goAwayCodes(received).isEmpty)
        }
    }

    /// Covers connections that do not answer the last PING, and those that end with a stream open.
    @Test(arguments: [false, true])
    func clientsThatAnswerNoPingAreClosed(_ hasStream: Bool) async throws {
        let short = Duration.milliseconds(100)
        let timeouts = HTTPSTimeouts(
            idle: hasStream ? .seconds(3_600) : short, keepalive: short, keepaliveAnswer: short, closing: short)
        try await HTTPSServer.serving(timeouts: timeouts) { server in
            let connection = try await RawConnection.connect(
                to: server.port, tls: try TestTLS.clientContext(protocols: ["h2"]))
            let open = RawFrame.frame(.headers, flags: RawFrame.endHeaders, stream: 1, RawFrame.request("/healthz"))
            let received = try await connection.exchange(RawFrame.preface + (hasStream ? open : []))
            #expect(RawFrame.goAwayCodes(received).first == .noError)
        }
    }

    // MARK: Floods

    struct Flood: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let frames: @Sendable (_ number: Int) -> [UInt8]
        var count = 300

        static let endings = RawFrame.endHeaders | RawFrame.endStream
        static let all = [
            Flood(testDescription: "rapid reset") { number in
                RawFrame.frame(.headers, flags: endings, stream: 2 * number + 1, RawFrame.request("/healthz"))
                    + RawFrame.frame(.resetStream, stream: 2 * number + 1, [0, 0, 0, 8])
            },
            Flood(testDescription: "wrong requests") { number in
                RawFrame.frame(.headers, flags: endings, stream: 2 * number + 1, RawFrame.request(nil))
            },
            Flood(testDescription: "PING") { number in
                RawFrame.frame(.ping, [UInt8](repeating: UInt8(number & 255), count: 8))
            },
            Flood(testDescription: "SETTINGS") { _ in RawFrame.frame(.settings) },
            Flood(testDescription: "PRIORITY") { number in
                RawFrame.frame(.priority, stream: 2 * number + 1, [0, 0, 0, 0, 1])
            },
            Flood(testDescription: "CONTINUATION") { number in
                number == 0
                    ? RawFrame.frame(.headers, stream: 1, RawFrame.request("/healthz"))
                    : RawFrame.frame(.continuation, stream: 1)
            },
            Flood(testDescription: "empty DATA") { number in
                number == 0
                    ? RawFrame.frame(.headers, flags: RawFrame.endHeaders, stream: 1, RawFrame.request("/healthz"))
                    : RawFrame.frame(.data, stream: 1)
            },
            Flood(
                testDescription: "a header list of 40 KB",
                frames: { _ in
                    let field = (name: "x", value: String(repeating: "y", count: 13_000))
                    let block = RawFrame.request("/healthz", fields: [field, field, field])
                    return RawFrame.frame(.headers, stream: 1, Array(block.prefix(16_000)))
                        + RawFrame.frame(.continuation, stream: 1, Array(block.dropFirst(16_000).prefix(16_000)))
                        + RawFrame.frame(
                            .continuation, flags: RawFrame.endHeaders, stream: 1, Array(block.dropFirst(32_000)))
                }, count: 1),
        ]
    }

    @Test(arguments: Flood.all)
    func floodsEndTheConnection(_ flood: Flood) async throws {
        try await HTTPSServer.serving(delivery: .forMemory(publisher)) { server in
            let connection = try await RawConnection.connect(
                to: server.port, tls: try TestTLS.clientContext(protocols: ["h2"]))
            let received = try await connection.exchange(
                RawFrame.preface + (0..<flood.count).flatMap { flood.frames($0) })
            let codes = RawFrame.goAwayCodes(received)
            #expect(!codes.isEmpty && !codes.contains(.noError), "\(codes)")
            #expect(server.log.text.contains("debug HTTP/2 connection refused"))
            // Other connections are not affected.
            let client = try await HTTP2Client.connect(to: server.port)
            #expect(try await client.send("/healthz").status == 200)
            try await client.channel.close()
        }
    }

    @Test func aWrongRequestEndsItsStreamOnly() async throws {
        try await HTTPSServer.serving { server in
            let connection = try await RawConnection.connect(
                to: server.port, tls: try TestTLS.clientContext(protocols: ["h2"]))
            let flags = Flood.endings
            let received = try await connection.exchange(
                RawFrame.preface + RawFrame.frame(.headers, flags: flags, stream: 1, RawFrame.request(nil))
                    + RawFrame.frame(.headers, flags: flags, stream: 3, RawFrame.request("/healthz"))
            ) { bytes in
                RawFrame.parse(bytes).contains { $0.stream == 3 && $0.kind == RawFrame.Kind.data.rawValue }
            }
            let frames = RawFrame.parse(received)
            #expect(frames.contains { $0.stream == 1 && $0.kind == RawFrame.Kind.resetStream.rawValue })
            #expect(frames.contains { $0.stream == 3 && $0.kind == RawFrame.Kind.headers.rawValue })
            #expect(RawFrame.goAwayCodes(received).isEmpty)
        }
    }
}
