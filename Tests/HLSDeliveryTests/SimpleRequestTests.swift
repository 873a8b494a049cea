import FastPathSwitch
import Foundation
import GatewayTestSupport
import HTTPTypes
import LiveChannels
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypes
import Testing

@testable import HLSDelivery

/// Usual requests for media are answered without NIO's decoder, identical ones without parsing.
@Suite(.enabled(if: FastPaths.takes(.simpleRequests))) struct SimpleRequestTests {
    /// Takes the place of the codec between NIO's HTTP parts and HTTP types, and counts requests.
    private final class CountingCodec: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias InboundOut = HTTPRequestPart

        var decodedCount = 0
        var readEndCount = 0

        func channelReadComplete(context: ChannelHandlerContext) {
            readEndCount += 1
            context.fireChannelReadComplete()
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head):
                decodedCount += 1
                var fields = HTTPFields()
                for (name, value) in head.headers {
                    if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
                }
                let method = HTTPRequest.Method(head.method.rawValue) ?? .get
                let request = HTTPRequest(
                    method: method, scheme: "http", authority: "host", path: head.uri, headerFields: fields)
                context.fireChannelRead(wrapInboundOut(.head(request)))
            case .body(let bytes): context.fireChannelRead(wrapInboundOut(.body(bytes)))
            case .end: context.fireChannelRead(wrapInboundOut(.end(nil)))
            }
        }
    }

    private let publisher = RadioPublisher()
    private let codec = CountingCodec()
    private let router = FakeRouter()
    private let channel = EmbeddedChannel()

    init() throws {
        try publisher.begin()
        publisher.push(segments: 2)
        try channel.pipeline.syncOperations.addHandlers([
            HTTPResponseEncoder(), ByteToMessageHandler(HTTPRequestDecoder()), codec,
            MediaDeliveryHandler(delivery: .forMemory(publisher)), router,
        ])
        try channel.connect(to: SocketAddress(ipAddress: "192.0.2.9", port: 80)).wait()
    }

    private static let playlist = request("/live/canalA.stream/audio.m3u8")

    /// The newest parts are kept as whole responses; conditions and ranges still count.
    @Test func aPartIsTheSameForItsFirstAndItsLaterViewers() throws {
        let playlist = try send(Self.playlist)
        let part = try #require(playlist.firstMatch(of: /EXT-X-PART:.*URI="([^"]+\/1\.0\.m4s)"/)).1
        let path = "/live/canalA.stream/\(part)"
        let first = try send(Self.request(path))
        #expect(first.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(first.contains("moof") && first.contains("mdat"))
        let size = try #require(first.firstMatch(of: /content-length: ([0-9]+)\r\n/.ignoresCase())).1
        #expect(try send(Self.request(path)) == first)
        #expect(try send(Self.request(path, "Range: bytes=4-7\r\n")).hasSuffix("\r\n\r\nmoof"))
        let tag = try #require(first.firstMatch(of: /etag: ([^\r]+)\r\n/.ignoresCase())).1
        #expect(try send(Self.request(path, "If-None-Match: \(tag)\r\n")).hasPrefix("HTTP/1.1 304 "))
        #expect(try send(Self.request(path)) == first)
        #expect(Int(size) ?? 0 > 0)
    }

    private static func request(_ path: String, _ fields: String = "") -> String {
        "GET \(path) HTTP/1.1\r\nHost: host\r\nUser-Agent: mpv\r\n\(fields)\r\n"
    }

    /// - Returns: all bytes written in the meantime.
    private func send(_ text: String) throws -> String {
        try channel.writeInbound(ByteBuffer(string: text))
        var answer = ""
        while let bytes = try channel.readOutbound(as: ByteBuffer.self) { answer += String(buffer: bytes) }
        return answer
    }

    @Test func theNextRequestForAPlaylistGetsThePlaylistAsItIsThen() throws {
        let first = try send(Self.playlist)
        #expect(first.hasPrefix("HTTP/1.1 200 OK\r\n") && first.contains("#EXTM3U"))
        #expect(try send(Self.playlist) == first)
        publisher.push(segments: 1)
        let later = try send(Self.playlist)
        #expect(later != first && later.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(codec.decodedCount == 0)
        #expect(publisher.channel.status().viewers == 1)
    }

    @Test func onlyTheEndsOfReadsWithSomethingForOthersReachThem() throws {
        for _ in 0..<3 { _ = try send(Self.playlist) }
        #expect(codec.readEndCount == 0)
        _ = try send(Self.request("/api/v1/about"))
        #expect(codec.readEndCount == 1)
        // It waits for the router.
        _ = try send(Self.playlist)
        #expect(codec.readEndCount == 2)
    }

    @Test func requestsForOtherMediaAreNotDecodedEither() throws {
        _ = try send(Self.playlist)
        let other = try send(Self.request("/live/canalA.stream/playlist.m3u8"))
        #expect(other.contains("#EXT-X-STREAM-INF"))
        #expect(try send(Self.playlist).contains("#EXTINF"))
        #expect(codec.decodedCount == 0)
    }

    @Test func rangesAndConditionsAreHonored() throws {
        let playlist = try send(Self.playlist)
        let segment = try #require(playlist.split(separator: "\n").last { $0.hasSuffix(".m4s") })
        let path = "/live/canalA.stream/\(segment)"
        let whole = try send(Self.request(path))
        #expect(whole.hasPrefix("HTTP/1.1 200 OK\r\n"), "\(path)")
        #expect(try send(Self.request(path, "range: bytes=0-9\r\n")).hasPrefix("HTTP/1.1 206 Partial Content\r\n"))
        let etag = try #require(whole.split(separator: "\r\n").first { $0.lowercased().hasPrefix("etag: ") }).dropFirst(
            6)
        #expect(try send(Self.request(path, "If-None-Match: \(etag)\r\n")).hasPrefix("HTTP/1.1 304 Not Modified\r\n"))
        #expect(codec.decodedCount == 0)
    }

    @Test func whatIsNotForMediaIsDecodedAndMediaAfterItIsNot() throws {
        _ = try send(Self.request("/api/v1/about"))
        #expect(codec.decodedCount == 1)
        #expect(try send(Self.playlist).hasPrefix("HTTP/1.1 200 OK\r\n") == false, "the router has not answered yet")
        #expect(codec.decodedCount == 2)
    }

    @Test(arguments: [1, 20, 60]) func aRequestInTwoPiecesIsNeverMistakenForAWholeOne(split: Int) throws {
        let (head, tail) = (String(Self.playlist.prefix(split)), String(Self.playlist.dropFirst(split)))
        for _ in 0..<3 {
            #expect(try send(head) == "")
            #expect(try send(tail).hasPrefix("HTTP/1.1 200 OK\r\n"))
        }
        #expect(codec.decodedCount == 3)
    }

    @Test func pipelinedRequestsAreAllAnswered() throws {
        let both = try send(Self.playlist + Self.playlist)
        #expect(both.components(separatedBy: "HTTP/1.1 200 OK").count == 3)
        #expect(try send(Self.playlist).hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(codec.decodedCount == 3)
    }

    @Test func aBodyIsNoRequest() throws {
        let post = "POST /api/v1/titles HTTP/1.1\r\nHost: host\r\nContent-Length: \(Self.playlist.utf8.count)\r\n\r\n"
        _ = try send(Self.playlist)
        _ = try send(post)
        #expect(try send(Self.playlist) == "", "these are the body's bytes")
        #expect(router.bodies == [Self.playlist])
    }

    @Test func aConnectionThatIsToCloseIsClosed() throws {
        let closing = Self.request("/live/canalA.stream/audio.m3u8", "Connection: close\r\n")
        #expect(try send(closing).hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(!channel.isActive)
    }
}
