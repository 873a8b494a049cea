import Foundation
import GatewayTestSupport
import HTTPTypes
import ISOBMFF
import Logging
import MediaCore
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import NIOPosix
import Packaging
import TestSupport
import Testing

@testable import Gateway
@testable import HLSDelivery
@testable import HTTPEndpoints
@testable import Workflows

/// Subtitle files beside a video: one file for web pages, and none if they are not readable.
@Suite(.timeLimit(.minutes(1)))
struct SubtitleFileTests {
    private static let cue = "1\n00:00:01,000 --> 00:00:02,000\nHola\n"

    private let folder: TemporaryDirectory
    private let title: PackagedTitle
    private let path: String

    init() async throws {
        folder = try TemporaryDirectory(label: "subtitles")
        path = try folder.write(try bytesOfFile(try await MovieFixture.brief.path()), to: "film.mp4")
        let file = try MediaFile(path: path)
        title = try PackagedTitle(index: MovieIndex.read(from: file), file: file)
    }

    @Test func rubbishIsNamedInTheLogAndNotOffered() async throws {
        _ = try folder.write(Array(Self.cue.utf8), to: "film.es.srt")
        _ = try folder.write([UInt8](repeating: 0xFE, count: 500) + Array("--> no times".utf8), to: "film.fr.srt")
        let log = LogRecorder()
        let extras = LibraryTitleExtras(
            keys: nil, threadPool: .singleton, logger: Logger(label: "test") { _ in log })
        for _ in 0..<3 {
            let found = try await extras.extras(of: title, id: "film", revision: "r1", besideFileAt: path)
            #expect(found.subtitles.map(\.language?.text) == ["es"])
        }
        #expect(log.text.split(separator: "\n").count == 1)
        #expect(log.text.hasPrefix("warning subtitle file skipped: it has no readable cues"))
        #expect(log.text.contains("film.fr.srt"))
    }

    @Test func aFileThatIsMendedIsOffered() async throws {
        _ = try folder.write(Array("rubbish".utf8), to: "film.fr.srt")
        let extras = LibraryTitleExtras(
            keys: nil, threadPool: .singleton, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        #expect(
            try await extras.extras(of: title, id: "film", revision: "r1", besideFileAt: path).subtitles.isEmpty)
        _ = try folder.write(Array(Self.cue.utf8), to: "film.fr.srt")
        let found = try await extras.extras(of: title, id: "film", revision: "r1", besideFileAt: path)
        #expect(found.subtitles.map(\.language?.text) == ["fr"])
    }

    @Test func aPageGetsThemAsOneFile() async throws {
        let subtitles = try folder.write(Array(Self.cue.utf8), to: "film.es.default.srt")
        let identity = try #require(MediaFile.identity(ofFileAt: subtitles))
        let file = try #require(
            SubtitleFile(name: "film.es.default.srt", ofVideo: "film", path: subtitles, identity: identity))
        let extras = TitleExtras(subtitles: [SubtitleTrack(.file(file), of: title.file)])
        let renditions = TitleSubtitles.all(SubtitleRenditions(extras.subtitles), ofTitle: "film")
        #expect(
            renditions == [
                TitleSubtitles(
                    address: "/vod/film/subtitles-es.vtt", label: "Español", language: "es", isForTheDeaf: false,
                    isDefault: true)
            ])
        let titles = FakeTitles()
        titles.set(.ready(title, revision: "r1", extras: extras), at: .title(id: "film"))
        let threads = NIOThreadPool(numberOfThreads: 1)
        threads.start()
        let delivery = MediaDelivery(channels: RadioPublisher().directory, titles: titles, threadPool: threads)
        let channel = try await NIOAsyncTestingChannel { channel in
            try channel.pipeline.syncOperations.addHandlers([MediaDeliveryHandler(delivery: delivery), FakeRouter()])
        }
        try await channel.connect(to: SocketAddress(ipAddress: "192.0.2.9", port: 80)).get()
        let answer = try await get("/vod/film/subtitles-es.vtt", on: channel)
        #expect(answer.status == 200)
        #expect(answer.head.headerFields[.contentType] == "text/vtt; charset=utf-8")
        #expect(answer.text == "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nHola\n")
        #expect(try await get("/vod/film/subtitles-fr.vtt", on: channel).status == 404)
        _ = try? await channel.finish()
        try await threads.shutdownGracefully()
    }

    private func get(_ path: String, on channel: NIOAsyncTestingChannel) async throws -> ReceivedAnswer {
        for part in TestRequest.parts(path, method: .get, fields: [:]) { try await channel.writeInbound(part) }
        var parts: [HTTPResponsePart] = []
        while true {
            let part = try await channel.waitForOutboundWrite(as: HTTPResponsePart.self)
            parts.append(part)
            if case .end = part { return try #require(ReceivedAnswer.answers(parts).first) }
        }
    }
}
