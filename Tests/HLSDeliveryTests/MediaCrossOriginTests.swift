import GatewayTestSupport
import HTTPTypes
import NIOCore
import NIOHTTPTypes
import Testing

@testable import HLSDelivery

/// Pages of other origins: their players ask before they send a header field of their own, and read every answer.
struct MediaCrossOriginTests {
    private static let origin = "https://player.example"
    private static let channel = "/live/canalA.stream"
    let publisher = RadioPublisher()

    private func connection(_ policy: MediaCrossOriginPolicy = .everyone) throws -> DeliveryChannel {
        try publisher.begin()
        publisher.push(segments: 2)
        return try DeliveryChannel(.forMemory(publisher, crossOrigin: policy))
    }

    private static func preflight(_ path: String, fields: String? = "authorization,x-own") -> [HTTPRequestPart] {
        var head: HTTPFields = [.origin: origin, .accessControlRequestMethod: "GET"]
        head[.accessControlRequestHeaders] = fields
        return TestRequest.parts(path, method: .options, fields: head)
    }

    /// Every kind of path, whether there is anything or not, and whether or not the router answers it.
    static let paths = [
        "\(channel)/playlist.m3u8", "\(channel)/audio.m3u8?_HLS_msn=3", "/\(channel)/playlist.m3u8",
        "\(channel)/e/video/7.m4s", "\(channel)/e/video/7.1.m4s", "\(channel)/e/ts/7.ts",
        "\(channel)/e/video/init-0.mp4",
        "/live/canalA/cover", "/vod/x/playlist.m3u8", "/vod/_definst_/mp4:a/b.mp4/playlist.m3u8",
        "/vod/x/r/video/1.m4s",
        "/vod/x/r/subs/1.vtt", "/vod/x/subs.vtt", "/vod/x/chapters.json", "/vod/x/key", "/vod/x/poster.jpg?v=1",
        "/vod/x/storyboard.vtt", "/vod/x/storyboard-1.jpg", "/radio/x/file", "/radio/x/playlist.m3u8", "/radio/x/cover",
        "/signed/abc/vod/x/playlist.m3u8", "/signed/abc/vod/x/poster.jpg", "/vod/whatever/comes/next",
    ]

    @Test(arguments: paths) func everyPathHasAPreflight(_ path: String) throws {
        let connection = try connection()
        try connection.send(Self.preflight(path))
        let answer = try #require(try connection.answers().first)
        #expect(answer.status == 204 && answer.isComplete && answer.body.readableBytes == 0)
        let fields = answer.head.headerFields
        #expect(fields[.accessControlAllowOrigin] == "*" && fields[.accessControlAllowCredentials] == nil)
        #expect(fields[.accessControlAllowMethods] == "GET, HEAD")
        #expect(fields[.accessControlAllowHeaders] == "authorization,x-own")
        #expect(fields[.accessControlMaxAge] == "7200")
        #expect(connection.router.paths.isEmpty)
        // The connection goes on.
        try connection.send(TestRequest.parts("\(Self.channel)/playlist.m3u8"))
        #expect(try connection.answers().first?.status == 200)
    }

    /// The answers of the delivery handler, errors included, and those of the router in its place.
    @Test(arguments: paths) func everyAnswerCanBeRead(_ path: String) throws {
        let connection = try connection()
        var routedCount = 0
        for method in [HTTPRequest.Method.get, .head, .post, .options] {
            try connection.send(TestRequest.parts(path, method: method, fields: [.origin: Self.origin]))
            let isRouted = connection.router.paths.count > routedCount
            routedCount = connection.router.paths.count
            if isRouted { connection.router.answer("from the router") }
            for answer in try connection.answers() {
                #expect(answer.head.headerFields[.accessControlAllowOrigin] == "*", "\(method) \(answer.status)")
                #expect(
                    answer.head.headerFields[.accessControlExposeHeaders]?.contains("Content-Range") == true,
                    "\(method) \(answer.status)")
            }
        }
    }

    @Test func otherPathsAndPagesAreLeftAlone() throws {
        let connection = try connection()
        for path in ["/", "/api/v1/titles", "/radio", "/livestream/x", "/media/x"] {
            try connection.send(Self.preflight(path))
            connection.router.answer("a page")
            let answer = try #require(try connection.answers().first)
            #expect(answer.status == 200 && answer.head.headerFields[.accessControlAllowOrigin] == nil, "\(path)")
        }
        // Some pages are beside the tracks.
        try connection.send(TestRequest.parts("/radio/albumes/x", fields: [.origin: Self.origin]))
        connection.router.answer("<!doctype html>", fields: [.contentType: "text/html; charset=utf-8"])
        #expect(try connection.answers().first?.head.headerFields[.accessControlAllowOrigin] == nil)
        // An interim response is not the answer.
        try connection.send(TestRequest.parts("/vod/x/poster.jpg", method: .post, fields: [.origin: Self.origin]))
        connection.router.interimResponse()
        #expect(try connection.answers().first?.head.headerFields.isEmpty == true)
        connection.router.answer("")
        #expect(try connection.answers().first?.head.headerFields[.accessControlAllowOrigin] == "*")
    }

    @Test(arguments: [
        nil, "", "authorization, range", "x\u{7f}y", String(repeating: "a", count: 1_025), "a b", "a,,b",
    ]) func fieldNamesAreRepeatedOnlyIfTheyAreSome(_ fields: String?) throws {
        let connection = try connection()
        try connection.send(Self.preflight("\(Self.channel)/playlist.m3u8", fields: fields))
        let allowed = try connection.answers().first?.head.headerFields[.accessControlAllowHeaders]
        #expect(
            allowed
                == (fields == "authorization, range"
                    ? fields : "Authorization, Range, CMCD-Object, CMCD-Request, CMCD-Session, CMCD-Status"))
    }

    @Test func onlyNamedOriginsAreAllowed() throws {
        let policy = MediaCrossOriginPolicy(origins: [Self.origin, "https://other.example"])
        let connection = try connection(policy)
        let playlist = "\(Self.channel)/audio.m3u8"
        func answer(_ origin: String?, _ method: HTTPRequest.Method = .get) throws -> HTTPFields {
            var fields: HTTPFields = method == .options ? [.accessControlRequestMethod: "GET"] : [:]
            fields[.origin] = origin
            try connection.send(TestRequest.parts(playlist, method: method, fields: fields))
            if method == .options, !connection.router.paths.isEmpty { connection.router.answer("405") }
            return try #require(try connection.answers().first).head.headerFields
        }
        // A cache keeps one for each page; the revision that all share does not name one.
        for origin in [Self.origin, "https://other.example", "HTTPS://OTHER.example", "https://evil.example", nil] {
            let fields = try answer(origin)
            let isAllowed = origin.map { $0.lowercased().hasSuffix("r.example") } ?? false
            #expect(fields[.accessControlAllowOrigin] == (isAllowed ? origin : nil))
            #expect(fields[values: .vary] == ["Accept-Encoding", "Origin"])
        }
        #expect(try answer(Self.origin, .options)[.accessControlAllowOrigin] == Self.origin)
        #expect(connection.router.paths.isEmpty)
        #expect(try answer("https://evil.example", .options)[.accessControlAllowOrigin] == nil)
        #expect(connection.router.paths.count == 1, "the router says that the method is not allowed")
    }

    @Test func oneOriginIsTheSameForAllAndNoneIsNone() throws {
        let one = try connection(MediaCrossOriginPolicy(origins: [Self.origin]))
        try one.send(TestRequest.parts("\(Self.channel)/audio.m3u8"))
        let fields = try #require(try one.answers().first).head.headerFields
        #expect(fields[.accessControlAllowOrigin] == Self.origin && fields[values: .vary] == ["Accept-Encoding"])
        let none = try DeliveryChannel(.forMemory(publisher, crossOrigin: .none))
        for path in ["\(Self.channel)/audio.m3u8", "\(Self.channel)/e/video/7.m4s"] {
            try none.send(TestRequest.parts(path, fields: [.origin: Self.origin]))
            #expect(try none.answers().first?.head.headerFields[.accessControlAllowOrigin] == nil)
        }
        try none.send(Self.preflight("\(Self.channel)/audio.m3u8"))
        #expect(none.router.paths.count == 1)
    }
}
