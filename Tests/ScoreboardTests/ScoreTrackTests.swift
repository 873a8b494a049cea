import Accounts
import Catalogue
import DatabaseTestSupport
import Foundation
import GatewayTestSupport
import HTTPTypes
import ISOBMFF
import JSONDocument
import MediaCore
import Synchronization
import TestSupport
import Testing

/// The scores of a recording as a metadata track.
@Suite(.eachEngine, .timeLimit(.minutes(3)))
struct ScoreTrackTests {
    private let site: ScoreSite
    /// The time at which the recording begins, a minute ago.
    private let beginning: WallClockTime

    init() async throws {
        site = try await ScoreSite()
        beginning = site.station.fixture.clock.wallClock.now() - .seconds(60)
        var recording = InMemoryContent.title("r", title: "Recording")
        recording.file = "recordings/\(site.channel)/r.mp4"
        let film = InMemoryContent.title("f", title: "Film")
        site.station.content.state.withLock { [recording] in $0.titles = [recording, film] }
    }

    private func recorded(_ spans: (start: Int64, end: Int64, date: Int64)...) {
        let spans = spans.map { span in
            DatedSpan(
                start: MediaTime(value: span.start, timescale: .milliseconds),
                end: MediaTime(value: span.end, timescale: .milliseconds),
                date: beginning.advanced(byMilliseconds: span.date))
        }
        site.station.content.state.withLock { $0.datedSpans["r"] = spans }
    }

    private func match(sideA: String = "Ana", _ events: (event: String, at: Int64)...) async throws -> String {
        let made = try await send(
            .post, "/api/v1/matches",
            #"{"channel": "\#(site.channel)", "rules": "racquetball3", "sideA": ["\#(sideA)"], "sideB": ["Berta"], "firstServer": "a1"}"#
        )
        let id = try #require(made.json?["match"]?.string)
        for event in events {
            let time = CivilTime(
                millisecondsSince1970: beginning.advanced(byMilliseconds: event.at).millisecondsSince1970)
            let added = try await send(
                .post, "/api/v1/matches/\(id)/events", #"{"events": [{\#(event.event), "time": "\#(time)"}]}"#)
            try #require(added.status == 200, "\(added.text)")
        }
        return id
    }

    private func send(_ method: HTTPRequest.Method, _ path: String, _ body: String? = nil) async throws
        -> ScoreSite.Answer
    {
        try await site.send(method, path, body, type: "application/json", ScoreSite.machine)
    }

    /// The cues of the track: their times, and the points.
    private func cues() async throws -> [String] {
        let track = try await site.send(.get, "/api/v1/titles/r/scores.vtt", nil, type: "", [:])
        #expect(track.status == 200 && track.headers[.contentType] == "text/vtt; charset=utf-8")
        let blocks = track.text.split(separator: "\n\n")
        #expect(blocks.first?.hasPrefix("WEBVTT") == true)
        return try blocks.dropFirst().map { block in
            let lines = block.split(separator: "\n")
            try #require(lines.count == 2)
            let score = try JSONParser.parse(Array(lines[1].utf8))
            return "\(lines[0]) \(score["points"]?.string ?? "")"
        }
    }

    private static let start = #""type": "start""#
    private static func point(_ side: String) -> String { #""type": "point", "side": "\#(side)""# }

    @Test func eachStateIsACueOnTheRecordingsTimeline() async throws {
        recorded((0, 50_000, 0))
        _ = try await match((Self.start, 5_000), (Self.point("a"), 10_500), (Self.point("b"), 20_000))
        #expect(
            try await cues() == [
                "00:00:05.000 --> 00:00:10.500 0-0", "00:00:10.500 --> 00:00:20.000 1-0",
                "00:00:20.000 --> 00:00:50.000 1-1",
            ])
    }

    /// The recording was interrupted for ten seconds, in which there was a point, and went on at another date.
    @Test func aRecordingThatWasInterruptedHasTheStatesOfEachPart() async throws {
        recorded((0, 10_000, 0), (10_000, 30_000, 20_000))
        _ = try await match((Self.start, -5_000), (Self.point("a"), 15_000), (Self.point("b"), 30_000))
        #expect(
            try await cues() == [
                "00:00:00.000 --> 00:00:10.000 0-0", "00:00:10.000 --> 00:00:20.000 1-0",
                "00:00:20.000 --> 00:00:30.000 1-1",
            ])
    }

    @Test func aCorrectionCountsAsIfItHadBeenRightFromTheBeginning() async throws {
        recorded((0, 50_000, 0))
        let id = try await match((Self.start, 5_000), (Self.point("a"), 10_000), (Self.point("b"), 20_000))
        let amended = #"{"events": [{"type": "amend", "sequence": 2, "event": {"type": "point", "side": "b"}}]}"#
        #expect(try await send(.post, "/api/v1/matches/\(id)/events", amended).status == 200)
        #expect(
            try await cues().suffix(2) == [
                "00:00:10.000 --> 00:00:20.000 0-1", "00:00:20.000 --> 00:00:50.000 0-2",
            ])
    }

    /// A name with the arrow of cue times would end its cue.
    @Test func aNameCannotBreakTheTrack() async throws {
        recorded((0, 50_000, 0))
        _ = try await match(sideA: "A --> <b>", (Self.start, 5_000))
        #expect(try await cues() == ["00:00:05.000 --> 00:00:50.000 0-0"])
        let text = try await site.send(.get, "/api/v1/titles/r/scores.vtt", nil, type: "", [:]).text
        #expect(text.components(separatedBy: "-->").count == 2)
    }

    @Test func aTitleThatIsNoRecordingHasNoScores() async throws {
        #expect(try await send(.get, "/api/v1/titles/f/scores.vtt").status == 404)
        #expect(try await send(.get, "/api/v1/titles/x/scores.vtt").status == 404)
        #expect(try await cues() == [])
    }
}
