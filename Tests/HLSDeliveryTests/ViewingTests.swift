import LiveChannels
import GatewayTestSupport
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import NIOPosix
import Packaging
import Synchronization
import TestSupport
import Testing

@testable import HLSDelivery

/// Who may watch, for every kind of URL that serves media.
@Suite(.timeLimit(.minutes(1)))
struct ViewingTests {
    /// Lets in whoever sends the right word, unless a subject is for everyone.
    private final class Doorkeeper: ViewingAuthority {
        let open = Mutex<Set<ViewingSubject>>([])
        let asked = Mutex<[ViewingSubject]>([])

        func isForEveryone(_ subject: ViewingSubject) -> Bool { open.withLock { $0.contains(subject) } }

        func decide(
            _ fields: HTTPFields, from peer: SocketAddress?, _ subject: ViewingSubject
        ) async -> ViewingDecision {
            asked.withLock { $0.append(subject) }
            return switch fields[.authorization] {
            case "right": .allowed
            case "other": .forbidden
            case "outage": .unavailable
            default: .loginNeeded
            }
        }
    }

    private final class Fixture: Sendable {
        let doorkeeper = Doorkeeper()
        let titles = FakeTitles()
        let folder: TemporaryDirectory
        private let delivery: MediaDelivery
        private let threads = NIOThreadPool(numberOfThreads: 1)

        init() throws {
            folder = try TemporaryDirectory()
            threads.start()
            delivery = MediaDelivery(
                channels: RadioPublisher().directory, titles: titles, threadPool: threads, viewing: doorkeeper)
            let publisher = RadioPublisher()
            try publisher.begin()
            publisher.push(segments: 8)
            let title = try publisher.title(in: folder, name: "r1.mp4")
            titles.set(.ready(title, revision: "r1", extras: TitleExtras()), at: .title(id: "bunny"))
        }

        deinit { threads.shutdownGracefully { _ in } }

        func get(_ path: String, _ fields: HTTPFields = [:]) async throws -> ReceivedAnswer {
            let delivery = delivery
            let channel = try await NIOAsyncTestingChannel { channel in
                try channel.pipeline.syncOperations.addHandlers([
                    MediaDeliveryHandler(delivery: delivery), FakeRouter(),
                ])
            }
            try await channel.connect(to: SocketAddress(ipAddress: "192.0.2.9", port: 80)).get()
            for part in TestRequest.parts(path, fields: fields) { try await channel.writeInbound(part) }
            var parts: [HTTPResponsePart] = []
            while true {
                let part = try await channel.waitForOutboundWrite(as: HTTPResponsePart.self)
                parts.append(part)
                if case .end = part { break }
            }
            return try #require(ReceivedAnswer.answers(parts).first)
        }
    }

    /// One URL of each kind. A new kind does not compile without a line here.
    private static let paths: [String] = {
        let kinds: [MediaRequest.Resource] = [
            .playlist("playlist"), .initializationSection(version: "r1", rendition: "audio", number: nil),
            .segment(version: "r1", rendition: "audio", number: 0),
            .part(.init(rendition: "audio", epoch: "e", mediaSequence: 1, index: 0)),
            .transportStreamSegment(epoch: "r1", number: 0),
            .titleTransportStreamSegment(version: "r1", name: "ts-low", number: 0),
            .subtitleSegment(version: "s", rendition: "subtitles-es", number: 0), .subtitles(name: "subtitles-es"),
            .chapters, .key, .file,
        ]
        return kinds.flatMap { kind in
            switch kind {
            case .playlist:
                [
                    "/live/canalA.stream/playlist.m3u8", "/live/canalA.stream/playlist.m3u8?format=ts",
                    "/live/canalA.stream/audio.m3u8?_HLS_msn=1&_HLS_part=0", "/vod/bunny/playlist.m3u8",
                    "/vod/bunny/audio.m3u8", "/vod/mp4:a.mp4/playlist.m3u8", "/vod/_definst_/mp4:a.mp4/playlist.m3u8",
                    "/radio/song/playlist.m3u8",
                ]
            case .initializationSection: ["/live/canalA.stream/e/audio/init-1.mp4", "/vod/bunny/r1/audio/init.mp4"]
            case .segment: ["/live/canalA.stream/e/audio/1.m4s", "/vod/bunny/r1/audio/0.m4s", "/radio/s/r/audio/0.m4s"]
            case .part: ["/live/canalA.stream/e/audio/1.0.m4s"]
            case .transportStreamSegment: ["/live/canalA.stream/e/ts/1.ts", "/vod/bunny/r1/ts/0.ts"]
            case .titleTransportStreamSegment: ["/vod/bunny/r1/ts-low/0.ts"]
            case .subtitleSegment: ["/vod/bunny/s/subtitles-es/0.vtt"]
            case .subtitles: ["/vod/bunny/subtitles-es.vtt"]
            case .chapters: ["/vod/bunny/chapters.json"]
            case .key: ["/vod/bunny/key?token=1-ab"]
            case .file: ["/radio/song/file"]
            }
        }
    }()

    @Test(arguments: paths) func onlyWhoIsLetInGetsAnything(_ path: String) async throws {
        let fixture = try Fixture()
        for (word, status) in [(nil, 401), ("wrong", 401), ("other", 403), ("outage", 503)] as [(String?, Int)] {
            var fields: HTTPFields = [:]
            fields[.authorization] = word
            let answer = try await fixture.get(path, fields)
            #expect(answer.status == status, "\(word ?? "-")")
            #expect(answer.head.headerFields[.cacheControl] == "no-store")
        }
        let admitted = try await fixture.get(path, [.authorization: "right"])
        #expect(![401, 403, 503].contains(admitted.status))
        let caching = admitted.head.headerFields[.cacheControl] ?? ""
        #expect(caching.hasPrefix("private") && !caching.contains("public"), "\(caching)")
        #expect(fixture.doorkeeper.asked.withLock { $0.count } == 5)
    }

    @Test func whatIsForEveryoneIsNotAskedFor() async throws {
        let fixture = try Fixture()
        fixture.doorkeeper.open.withLock { $0 = [.title] }
        let answer = try await fixture.get("/vod/bunny/playlist.m3u8")
        #expect(answer.status == 200 && answer.head.headerFields[.cacheControl]?.contains("private") != true)
        #expect(fixture.doorkeeper.asked.withLock { $0.isEmpty })
        #expect(try await fixture.get("/radio/song/playlist.m3u8").status == 401)
    }

    /// A challenge for a password would open the browser's own window over the page.
    @Test func pagesAreNotChallengedForAPassword() async throws {
        let fixture = try Fixture()
        let player = try await fixture.get("/vod/bunny/playlist.m3u8")
        #expect(player.head.headerFields[.wwwAuthenticate] == "Basic realm=\"Antena\"")
        let site = try #require(HTTPField.Name("Sec-Fetch-Site"))
        let page = try await fixture.get("/vod/bunny/playlist.m3u8", [site: "same-origin"])
        #expect(page.head.headerFields[.wwwAuthenticate] == "Bearer")
    }

    /// The media itself is that of a title for everyone.
    @Test func aMemberGetsTheSameBytes() async throws {
        let fixture = try Fixture()
        let member = try await fixture.get("/vod/bunny/r1/audio/0.m4s", [.authorization: "right"])
        fixture.doorkeeper.open.withLock { $0 = [.title] }
        let everyone = try await fixture.get("/vod/bunny/r1/audio/0.m4s")
        #expect(member.status == 200 && member.body == everyone.body && member.body.readableBytes > 1_000)
        #expect(everyone.head.headerFields[.cacheControl] == CachePolicy.immutable)
        #expect(member.head.headerFields[.cacheControl] == "private, max-age=31536000, immutable")
    }
}
