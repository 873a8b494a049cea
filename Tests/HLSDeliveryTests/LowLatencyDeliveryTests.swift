import GatewayTestSupport
import HTTPTypes
import LiveChannels
import NIOCore
import NIOEmbedded
import Testing

/// Blocking reloads and hinted parts over HTTP (draft-pantos-hls-rfc8216bis §6.2.5.2, §6.2.6).
struct LowLatencyDeliveryTests {
    static let audio = "/live/canalA.stream/audio.m3u8"
    /// Frames of 1,024 samples at 48 kHz in a part of half a second.
    static let framesPerPart = 23
    let publisher = RadioPublisher()

    /// A connection to a channel with two segments and the first frame of the third.
    private func connection() throws -> DeliveryChannel {
        try publisher.begin()
        publisher.push(segments: 2)
        return try DeliveryChannel(.forMemory(publisher))
    }

    @Test func aReloadIsHeldUntilItsPartIsThere() throws {
        let connection = try connection()
        try connection.send(TestRequest.parts("\(Self.audio)?_HLS_msn=2&_HLS_part=0"))
        #expect(try connection.answers().isEmpty)
        publisher.push(frames: Self.framesPerPart - 2)
        #expect(try connection.answers().isEmpty)
        publisher.push(frames: 1)
        let answer = try #require(try connection.answers().first)
        #expect(answer.status == 200 && answer.isComplete)
        #expect(answer.text.contains("/audio/2.0.m4s"))
        #expect(answer.head.headerFields[.cacheControl] == "public, max-age=6")
        // A later request is answered at once. Caches may keep a playlist of a request without directives for a
        // shorter time only.
        try connection.send(TestRequest.parts("\(Self.audio)?_HLS_msn=2&_HLS_part=0"))
        #expect(try connection.answers().first?.text == answer.text)
        try connection.send(TestRequest.parts(Self.audio))
        let plain = try #require(try connection.answers().first)
        #expect(plain.text == answer.text && plain.head.headerFields[.cacheControl] == "public, max-age=1")
    }

    @Test(arguments: [
        ("_HLS_part=1", 400), ("_HLS_msn=x", 400), ("_HLS_msn=", 400), ("_HLS_msn=-1", 400),
        ("_HLS_msn=99999999999999999999", 400), ("_HLS_msn=2&_HLS_part=1.5", 400), ("_HLS_msn=4", 400),
        ("_HLS_msn=2&_HLS_part=40", 400), ("_HLS_msn=1", 200), ("_HLS_msn=0&_HLS_part=3", 200), ("_HLS_skip=YES", 200),
        ("_HLS_skip=what", 200), ("ll=0", 200), ("ll=1", 200), ("ll", 200), ("&&=&?", 200), ("token=a%20b", 200),
    ])
    func directivesAreUnderstoodOrRefused(query: String, status: Int) throws {
        let connection = try connection()
        try connection.send(TestRequest.parts("\(Self.audio)?\(query)"))
        let answer = try #require(try connection.answers().first)
        #expect(answer.status == status, "\(query)")
        if status == 400 {
            #expect(answer.head.headerFields[.contentType] == "application/problem+json")
            #expect(answer.head.headerFields[.cacheControl] == "no-store")
        }
        #expect(answer.text.contains("#EXT-X-PART:") == (status == 200 && query != "ll=0"))
    }

    @Test func aReloadThatIsHeldTooLongIsTold() throws {
        let connection = try connection()
        try connection.send(TestRequest.parts("\(Self.audio)?_HLS_msn=2&_HLS_part=3"))
        connection.embedded.embeddedEventLoop.advanceTime(by: .seconds(17))
        #expect(try connection.answers().isEmpty)
        connection.embedded.embeddedEventLoop.advanceTime(by: .seconds(2))
        let answer = try #require(try connection.answers().first)
        #expect(answer.status == 503 && answer.head.headerFields[.retryAfter] == "1")
    }

    @Test func notAByteOfAHintedPartIsSentBeforeItIsComplete() throws {
        let connection = try connection()
        publisher.push(frames: Self.framesPerPart)
        try connection.send(TestRequest.parts(Self.audio))
        let playlist = try #require(try connection.answers().first?.text)
        let match = try #require(playlist.firstMatch(of: /EXT-X-PRELOAD-HINT:TYPE=PART,URI="([^"]+)"/))
        let hinted = "/live/canalA.stream/\(match.1)"
        try connection.send(TestRequest.parts(hinted))
        publisher.push(frames: Self.framesPerPart - 2)
        #expect(try connection.answers().isEmpty)
        publisher.push(frames: 1)
        let answer = try #require(try connection.answers().first)
        #expect(answer.status == 200)
        #expect(answer.head.headerFields[.contentType] == "video/iso.segment")
        #expect(answer.head.headerFields[.cacheControl] == "public, max-age=31536000, s-maxage=50, immutable")
        #expect(answer.head.headerFields[.eTag] != nil)
        // Ranges of the part work as well.
        try connection.send(TestRequest.parts(hinted, fields: [.range: "bytes=4-7"]))
        let range = try #require(try connection.answers().first)
        #expect(range.status == 206 && range.text == "moof")
    }

    @Test func partsThatNobodyHintedAtAreNotWaitedFor() throws {
        let connection = try connection()
        try connection.send(TestRequest.parts(Self.audio))
        let playlist = try #require(try connection.answers().first?.text)
        let folder = try #require(playlist.firstMatch(of: /\n([^\/\n"]+\/audio)\/1.m4s/)).1
        for name in ["2.1.m4s", "3.1.m4s", "4.0.m4s", "1.9.m4s", "0.99999.m4s"] {
            try connection.send(TestRequest.parts("/live/canalA.stream/\(folder)/\(name)"))
            #expect(try connection.answers().first?.status == 404, "\(name)")
        }
    }

    @Test func thePartsOfASegmentAreTheSegment() throws {
        let connection = try connection()
        try connection.send(TestRequest.parts(Self.audio))
        let playlist = try #require(try connection.answers().first?.text)
        let parts = playlist.matches(of: /EXT-X-PART:.*URI="([^"]+\/1\.[0-9]+\.m4s)"/).map { String($0.1) }
        #expect(parts.count == 5)
        var joined = ByteBuffer()
        for part in parts {
            try connection.send(TestRequest.parts("/live/canalA.stream/\(part)"))
            joined.writeImmutableBuffer(try #require(try connection.answers().first).body)
        }
        let segment = try #require(parts.first?.replacing("/1.0.m4s", with: "/1.m4s"))
        try connection.send(TestRequest.parts("/live/canalA.stream/\(segment)"))
        #expect(try connection.answers().first?.body == joined)
    }

    @Test func whoLeavesWhileWaitingIsForgotten() throws {
        let channel = try connection()
        try channel.send(TestRequest.parts("\(Self.audio)?_HLS_msn=2&_HLS_part=0"))
        #expect(publisher.channel.heldRequestCount == 1)
        try channel.embedded.close().wait()
        #expect(publisher.channel.heldRequestCount == 0)
        publisher.push(frames: Self.framesPerPart)
    }
}
