import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import TestSupport
import Testing

@testable import HLSDelivery

/// The parser of simple requests and NIO's decoder must agree on every request that the former understands.
struct SimpleRequestParserTests {
    private static func parse(_ text: String) -> HTTPRequest? { parse(Array(text.utf8)) }

    private static func parse(_ bytes: [UInt8]) -> HTTPRequest? {
        bytes.withUnsafeBytes { SimpleRequest.parse($0) }
    }

    @Test func aPlayersRequestIsUnderstood() throws {
        let request = try #require(
            Self.parse(
                "GET /live/canalA.stream/playlist.m3u8?_HLS_msn=3 HTTP/1.1\r\nHost: tv.example:8080\r\n"
                    + "user-agent: \t mpv 0.35\r\nX-Own: a, b\r\nX-Own:\r\n\r\n"))
        #expect(request.method == .get && request.authority == "tv.example:8080")
        #expect(request.path == "/live/canalA.stream/playlist.m3u8?_HLS_msn=3")
        #expect(request.headerFields.map(\.value) == ["mpv 0.35", "a, b", ""])
        #expect(request.headerFields[.userAgent] == "mpv 0.35")
    }

    @Test(arguments: [
        "", "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost:\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
        "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / HTTP/1.0\r\nHost: a\r\n\r\n",
        "GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET  / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / HTTP/1.1\nHost: a\n\n", "GET / HTTP/1.1\r\nHost: a\r\n",
        "GET / HTTP/1.1\r\nHost : a\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n",
        "GET / HTTP/1.1\r\n: a\r\nHost: a\r\n\r\n", "GET /\u{7F} HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /é HTTP/1.1\r\nHost: a\r\n\r\n", "GET / HTTP/1.1\r\nHost: é\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\rb\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\ntransfer-encoding: chunked\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\n\r\nx", "GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
    ]) func whatIsUnusualIsLeftToTheDecoder(request: String) {
        #expect(Self.parse(request) == nil)
    }

    @Test func sizeAndNumberOfFieldsAreLimited() {
        let start = "GET / HTTP/1.1\r\nHost: a\r\n"
        let fields = { (count: Int) in String(repeating: "A: b\r\n", count: count) }
        #expect(Self.parse(start + fields(SimpleRequest.maximumFieldCount - 1) + "\r\n") != nil)
        #expect(Self.parse(start + fields(SimpleRequest.maximumFieldCount) + "\r\n") == nil)
        let padding = SimpleRequest.maximumByteCount - start.utf8.count - "A: \r\n\r\n".utf8.count
        #expect(Self.parse(start + "A: \(String(repeating: "b", count: padding))\r\n\r\n") != nil)
        #expect(Self.parse(start + "A: \(String(repeating: "b", count: padding + 1))\r\n\r\n") == nil)
    }

    /// Whatever an attacker sends: if the parser takes it for one request, so does the decoder, and for the same one.
    @Test func theDecoderSeesTheSameRequest() throws {
        let seeds = [
            "GET /vod/film/playlist.m3u8 HTTP/1.1\r\nHost: a\r\nRange: bytes=0-\r\nAccept-Encoding: gzip, br\r\n\r\n",
            "GET /live/canalA.stream/1/video/7.m4s HTTP/1.1\r\nhost: [::1]:80\r\nConnection: keep-alive\r\nX:\r\n\r\n",
        ]
        let insertions: [[UInt8]] = [
            Array("\r\n".utf8), Array("\r\n\r\n".utf8), [0], [0x0B], [0x80], [9], [32], Array(":".utf8),
            Array("Content-Length: 3\r\n".utf8), Array("Transfer-Encoding: chunked\r\n".utf8),
            Array("Host: b\r\n".utf8),
        ]
        var generator = SeededGenerator(seed: 14)
        var understood = 0
        for round in 0..<20_000 {
            var bytes = Array(seeds[round % seeds.count].utf8)
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: index)
                case 2: bytes[index] = bytes[Int.random(in: 0..<bytes.count, using: &generator)]
                default: bytes.insert(contentsOf: insertions.randomElement(using: &generator) ?? [], at: index)
                }
            }
            guard let request = Self.parse(bytes) else { continue }
            understood += 1
            #expect(try Self.decoded(bytes) == Self.lines(of: request), "\(String(decoding: bytes, as: UTF8.self))")
        }
        #expect(understood > 1_000)
    }

    /// The request as the decoder sees it: target and fields; `nil` unless it is one complete request without a body.
    private static func decoded(_ bytes: [UInt8]) throws -> [String]? {
        let channel = EmbeddedChannel(handler: ByteToMessageHandler(HTTPRequestDecoder()))
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        try channel.writeInbound(ByteBuffer(bytes: bytes))
        guard case .head(let head) = try channel.readInbound(as: HTTPServerRequestPart.self), head.method == .GET,
            head.version == .http1_1, head.headers["host"].count == 1,
            case .end(nil) = try channel.readInbound(as: HTTPServerRequestPart.self),
            try channel.readInbound(as: HTTPServerRequestPart.self) == nil
        else { return nil }
        let fields = head.headers.filter { $0.name.lowercased() != "host" }
        return [head.uri, head.headers["host"][0]] + fields.map { "\($0.name.lowercased()): \($0.value)" }
    }

    private static func lines(of request: HTTPRequest) -> [String]? {
        guard let path = request.path, let authority = request.authority else { return nil }
        return [path, authority] + request.headerFields.map { "\($0.name.canonicalName): \($0.value)" }
    }
}
