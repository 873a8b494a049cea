import HTTPTypes
import NIOCore
import NIOEmbedded
import Testing

@testable import HLSDelivery

struct MediaResponseTests {
    private let pieces = [ByteBuffer(string: "0123"), ByteBuffer(string: ""), ByteBuffer(string: "456789")]

    private func response(
        _ fields: HTTPFields, method: HTTPRequest.Method = .get, etag: String? = "\"v1\""
    ) -> MediaResponse {
        let request = HTTPRequest(
            method: method, scheme: "http", authority: "host", path: "/x", headerFields: fields)
        return MediaResponse(request: request, fields: MediaFields.videoSegment, etag: etag, body: pieces)
    }

    private func text(_ response: MediaResponse) -> String {
        response.body.map { String(buffer: $0) }.joined()
    }

    @Test func theWholeIsOK() {
        let whole = response([:])
        #expect(whole.head.status == .ok)
        #expect(whole.head.headerFields[.contentLength] == "10")
        #expect(whole.head.headerFields[.acceptRanges] == "bytes")
        #expect(whole.head.headerFields[.eTag] == "\"v1\"")
        #expect(whole.head.headerFields[.contentType] == "video/iso.segment")
        #expect(whole.head.headerFields[.cacheControl] == CachePolicy.media)
        #expect(text(whole) == "0123456789")
    }

    @Test(arguments: [
        ("bytes=0-3", "0123", "bytes 0-3/10"), ("bytes=2-6", "23456", "bytes 2-6/10"),
        ("bytes=4-", "456789", "bytes 4-9/10"), ("bytes=-1", "9", "bytes 9-9/10"),
        ("bytes=3-3", "3", "bytes 3-3/10"), ("bytes=0-100", "0123456789", "bytes 0-9/10"),
    ])
    func rangesAcrossPiecesArePartialContent(range: String, expected: String, contentRange: String) {
        let part = response([.range: range])
        #expect(part.head.status == .partialContent)
        #expect(part.head.headerFields[.contentRange] == contentRange)
        #expect(part.head.headerFields[.contentLength] == String(expected.utf8.count))
        #expect(text(part) == expected)
    }

    @Test func aRangeOutsideIs416AndNotCached() {
        let outside = response([.range: "bytes=10-"])
        #expect(outside.head.status == .rangeNotSatisfiable)
        #expect(outside.head.headerFields[.contentRange] == "bytes */10")
        #expect(outside.head.headerFields[.contentLength] == "0")
        #expect(outside.head.headerFields[.cacheControl] == "no-store")
        #expect(outside.body.isEmpty)
    }

    @Test(arguments: ["\"v1\"", "*", "W/\"v1\"", "\"v0\", \"v1\""])
    func whatIsKnownIsNotModified(known: String) {
        let answer = response([.ifNoneMatch: known, .range: "bytes=0-1"])
        #expect(answer.head.status == .notModified)
        #expect(answer.head.headerFields[.eTag] == "\"v1\"")
        #expect(answer.head.headerFields[.contentLength] == nil)
        #expect(answer.body.isEmpty)
    }

    @Test func whatIsNotKnownIsSent() {
        #expect(response([.ifNoneMatch: "\"v10\""]).head.status == .ok)
    }

    @Test func ifRangeHoldsForTheSameRepresentationOnly() {
        #expect(response([.range: "bytes=0-1", .ifRange: "\"v1\""]).head.status == .partialContent)
        for other in ["\"v0\"", "W/\"v1\"", "Sat, 21 Nov 2026 08:00:00 GMT"] {
            let answer = response([.range: "bytes=0-1", .ifRange: other])
            #expect(answer.head.status == .ok)
            #expect(text(answer) == "0123456789")
        }
    }

    /// RFC 9110 §14.2: ranges are defined for GET only.
    @Test func headIgnoresRanges() {
        let head = response([.range: "bytes=0-1"], method: .head)
        #expect(head.head.status == .ok)
        #expect(head.head.headerFields[.contentLength] == "10")
    }

    @Test func withoutAnETagThereAreNeitherRangesNorConditions() {
        let answer = response([.range: "bytes=0-1", .ifNoneMatch: "*"], etag: nil)
        #expect(answer.head.status == .ok)
        #expect(answer.head.headerFields[.acceptRanges] == nil)
    }

    @Test func problemsAreJSONWhateverTheyQuote() throws {
        let problem = MediaResponse.problem(.notFound, "no \"channel\" \\ \n\u{1}é", retryAfter: 5)
        #expect(problem.head.status == .notFound)
        #expect(problem.head.headerFields[.contentType] == "application/problem+json")
        #expect(problem.head.headerFields[.cacheControl] == "no-store")
        #expect(problem.head.headerFields[.retryAfter] == "5")
        let expected =
            #"{"type":"/api/v1/docs#not-found","title":"There is no such resource","status":404,"detail":"no \"channel\" \\   é"}"#
        #expect(text(problem) == expected)
        #expect(problem.head.headerFields[.contentLength] == String(expected.utf8.count))
    }

    @Test(
        arguments: [
            (nil, false), ("gzip", true), ("GZIP", true), ("deflate, gzip;q=1.0, *;q=0.5", true), ("*", true),
            ("br", false), ("", false), ("identity", false), ("gzip;q=0", false), ("gzip; q=0.000", false),
            ("gzip;q=0.5", true), ("gzip;q=0.001", true), ("*;q=0", false), ("gzip;q=0, *", false),
            ("*, gzip;q=0", false), ("*;q=0, gzip", true), ("identity;q=1, *;q=0", false),
            ("br;q=1 ,\tgzip ; q=0.8", true),
            (",,;,", false),
        ] as [(String?, Bool)])
    func gzipIsNegotiated(header: String?, expected: Bool) throws {
        var fields: HTTPFields = [:]
        if let header { fields[.acceptEncoding] = header }
        let path = "/live/canalA.stream/playlist.m3u8"
        let exchange = MediaExchange(
            request: HTTPRequest(method: .get, scheme: "http", authority: "host", path: path, headerFields: fields),
            media: try #require(MediaRequest(target: path)), eventLoop: EmbeddedEventLoop(), viewerKey: 0)
        #expect(exchange.acceptsGzip == expected)
    }
}
