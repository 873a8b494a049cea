import APIContract
import APIDeclarations
import Testing

@testable import APIClient
@testable import JSONDocument

/// The output of the command line.
struct ReportTests {
    private func object<Fields: ObjectFields>(_ text: String) throws -> APIObject<Fields> {
        try #require(APIObject<Fields>(json: JSONText(try JSONParser.parse(text.utf8))))
    }

    @Test func ingestLines() throws {
        func line(_ json: String, _ isTerminal: Bool) throws -> String {
            let entry = try #require(IngestEntry(try JSONParser.parse(json.utf8)))
            return IngestRun.line(entry, file: "f", isTerminal: isTerminal)
        }
        #expect(
            try line(#"{"id":"a","state":"transcoding","progress":0.5}"#, true).contains(
                "[###############...............] 50 %")
        )
        #expect(try line(#"{"id":"a","state":"transcoding","progress":0.57}"#, false) == "f: transcoding 50 %")
        #expect(try line(#"{"id":"a","state":"failed","error":"no"}"#, false) == "f: failed: no")
        #expect(
            try line(#"{"id":"a","state":"ready","ingestSeconds":0.25,"playlist":"/p"}"#, false)
                == "f: ready in 0.25 s, /p")
    }

    @Test func statusTablesAlign() throws {
        let channel: APIObject<ChannelFields> = try object(
            #"{"name":"canalA","state":"live","preset":"low","publisher":{"address":"1.2.3.4:5"},"tracks":[{"type":"video","codec":"H.264","width":640,"height":360,"frameRate":25,"bitRate":500400}],"viewers":2,"bytesIn":2500000,"bytesOut":0,"packetsLost":0}"#
        )
        let report = StatusReport(channels: [channel], titles: [], tracks: [])
        #expect(
            report.text.contains(
                "canalA   live   low     1.2.3.4:5  H.264 640x360 25 fps 500 kb/s  2        3 MB  -    0"))
        #expect(report.text.hasSuffix("no titles\n\nno tracks"))
        #expect(try JSONParser.parse(report.json.utf8)["channels"]?.elements?.count == 1)
    }

    @Test func statusSaysWhichQualitiesAreEncoded() throws {
        let channel: APIObject<ChannelFields> = try object(
            #"{"name":"a","state":"live","tracks":[{"type":"video","codec":"H.264"}],"ladder":[{"name":"medium","state":"dropped","bitRate":1200000},{"name":"low","state":"encoded","bitRate":400000}]}"#
        )
        let report = StatusReport(channels: [channel], titles: [], tracks: [])
        #expect(report.text.contains("H.264, also medium (dropped), low"))
    }

    /// Checks reasons, states and IDs; each row stays on one line of a terminal.
    @Test func statusTellsWhatIsWrong() throws {
        let long = String(repeating: "cannot be read; ", count: 20)
        let channel: APIObject<ChannelFields> = try object(
            #"{"name":"a","state":"idle","errors":[{"at":"2026-11-22T16:00:01Z","message":"old"},{"at":"2026-11-22T16:05:01Z","message":"the push\n\u001bended"}]}"#
        )
        let title: APIObject<TitleFields> = try object(
            #"{"id":"film-1","title":"Film","state":"failed","file":"film.mp4","error":"\#(long)"}"#)
        let track: APIObject<TrackFields> = try object(
            #"{"id":"song-2","title":"Song","state":"probing","progress":0.4,"error":null}"#)
        let text = StatusReport(channels: [channel], titles: [title], tracks: [track]).text
        #expect(text.contains(#"2026-11-22 16:05 the push\n\u{1b}ended"#) && !text.contains("old"))
        let lines = text.split(separator: "\n")
        let titleLine = try #require(lines.first { $0.hasPrefix("film-1  Film") })
        #expect(titleLine.contains("failed") && titleLine.hasSuffix("cannot be read; cannot be read; cannot be read;…"))
        #expect(lines.contains { $0.hasPrefix("song-2  Song") && $0.contains("probing 40 %") })
        #expect(lines.count == 6)
    }

    @Test func jobsAreATable() throws {
        let job: APIObject<JobFields> = try object(
            #"{"id":"12","kind":"title","state":"transcoding","progress":0.559,"priority":-3,"attempt":2,"file":"a\u0007.mkv","error":null,"message":"converted"}"#
        )
        let lines = JobReport.table([job], nothing: "no jobs").split(separator: "\n")
        #expect(lines.first == "ID  KIND   STATE        PROGRESS  PRIORITY  ATTEMPT  FILE        MESSAGE")
        #expect(lines.last == #"12  title  transcoding  55 %      -3        2        a\u{7}.mkv  converted"#)
        #expect(JobReport.table([], nothing: "no jobs") == "no jobs")
        #expect(job.jobLine == #"12: transcoding, a\u{7}.mkv"#)
    }

    @Test func anUnreachableServerIsOneSentence() async throws {
        await #expect {
            try await ServerClient.with(server: "http://127.0.0.1:9", access: OperatorAccess(environment: [:])) {
                _ = try await $0.get("/api/v1/about")
            }
        } throws: { error in
            "\(error)" == "No Antena server answers at http://127.0.0.1:9. "
                + "Start one with \"antena serve\", or name another with --server."
        }
        await #expect(throws: ServerClientError.self) {
            try await ServerClient.with(server: "localhost", access: OperatorAccess(environment: [:])) { _ in }
        }
    }
}
