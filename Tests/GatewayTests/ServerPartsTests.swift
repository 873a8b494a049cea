import Foundation
import Logging
import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing

@testable import Gateway

#if canImport(Glibc)
import Glibc
#endif

struct ServerPartsTests {
    @Test func aDataDirectoryIsUsedByOneServerAtATime() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "antena-\(UUID())/data").path(
            percentEncoded: false)
        defer { try? FileManager.default.removeItem(atPath: path) }
        var first: DataDirectory? = try DataDirectory(path: path + "/")
        #expect(first?.path(of: "x") == path + "/x")
        #expect {
            _ = try DataDirectory(path: path)
        } throws: { error in
            "\(error)".contains("another Antena server (process \(getpid())) uses the data directory \(path)")
        }
        first = nil
        _ = try DataDirectory(path: path)
    }

    @Test func aDataDirectoryThatCannotBeMadeSaysSo() {
        #expect {
            _ = try DataDirectory(path: "/proc/antena")
        } throws: { error in
            "\(error)".contains("/proc/antena") && "\(error)".contains("--data")
        }
    }

    @Test func portsAreReportedOnceAllListen() {
        let reports = Mutex<[[ListenerName: Int]]>([])
        let ports = ListenerPorts(awaiting: [.http, .rtsp, .wowza]) { ports in reports.withLock { $0.append(ports) } }
        ports.set(.rtsp, port: 2)
        ports.set(.wowza, port: nil)
        #expect(!ports.isComplete && ports[.rtsp] == 2)
        ports.set(.http, port: 1)
        ports.set(.http, port: 1)
        #expect(ports.isComplete)
        #expect(reports.withLock { $0 } == [[.http: 1, .rtsp: 2]])
    }

    @Test(
        arguments: [
            (EADDRINUSE, "port 322 is in use by another program; choose another with --rtsps h:PORT"),
            (EACCES, "port 322 needs more rights; choose one above 1023 with --rtsps h:PORT"),
            (EADDRNOTAVAIL, "h is not an address of this machine; choose another with --rtsps"),
        ])
    func anAddressThatCannotBeHadNamesWhatToChange(_ code: CInt, text: String) {
        let endpoint = SocketEndpoint(host: "h", port: 322)
        let error = endpoint.explain(IOError(errnoCode: code, reason: "bind"), flag: "--rtsps")
        #expect("\(error)".hasPrefix(text))
    }

    /// RTSP has two listeners in one service; HTTP has one service per listener.
    @Test(arguments: ["--rtsp", "--rtsps", "--https"])
    func aTakenPortNamesTheFlagOfItsListener(_ flag: String) async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let other = try await ServerBootstrap(group: loop).bind(host: "127.0.0.1", port: 0).get()
        let taken = SocketEndpoint(host: "127.0.0.1", port: try #require(other.localAddress?.port))
        let folder = try TemporaryDirectory(label: "ports")
        let certificate = try await TestCertificate(in: folder)
        var configuration = ServerConfiguration()
        configuration.http = SocketEndpoint(host: "127.0.0.1", port: 0)
        configuration.rtsp = flag == "--rtsp" ? taken : configuration.http
        configuration.rtsps = flag == "--rtsps" ? taken : configuration.http
        configuration.https = flag == "--https" ? taken : configuration.http
        configuration.wowzaPort = nil
        configuration.tls = ServerConfiguration.TLSFiles(
            certificate: certificate.certificatePath, key: certificate.keyPath)
        configuration.mediaDirectory = folder.path
        configuration.dataDirectory = try folder.file("data")
        configuration.channelsFile = try folder.write(
            #"""
            {"presets": {"low": {"width": 426, "height": 240, "frameRate": 24, "videoBitrate": 400000,
              "audioBitrate": 64000}}, "channels": [{"name": "a", "defaultPreset": "low", "presets": ["low"]}]}
            """#, to: "channels.json")
        let server = try AntenaServer(
            configuration: configuration, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        await #expect {
            try await server.run()
        } throws: { error in
            "\(error)".hasPrefix("port \(taken.port) is in use by another program; choose another with \(flag) ")
        }
        try await other.close()
    }

    @Test func ingestLines() throws {
        func line(_ json: String, _ isTerminal: Bool) throws -> String {
            IngestRun.line(try JSONParser.parse(json.utf8), file: "f", isTerminal: isTerminal)
        }
        #expect(
            try line(#"{"state":"transcoding","progress":0.5}"#, true).contains("[###############...............] 50 %")
        )
        #expect(try line(#"{"state":"transcoding","progress":0.57}"#, false) == "f: transcoding 50 %")
        #expect(try line(#"{"state":"failed","error":"no"}"#, false) == "f: failed: no")
        #expect(try line(#"{"state":"ready","ingestSeconds":0.25,"playlist":"/p"}"#, false) == "f: ready in 0.25 s, /p")
    }

    @Test func statusTablesAlign() throws {
        let channel = try JSONParser.parse(
            #"{"name":"canalA","state":"live","preset":"low","publisher":{"address":"1.2.3.4:5"},"tracks":[{"type":"video","codec":"H.264","width":640,"height":360,"frameRate":25,"bitRate":500400}],"viewers":2,"bytesIn":2500000,"bytesOut":0,"packetsLost":0}"#
                .utf8)
        let report = StatusReport(channels: [channel], titles: [], tracks: [])
        #expect(
            report.text.contains(
                "canalA   live   low     1.2.3.4:5  H.264 640x360 25 fps 500 kb/s  2        3 MB  -    0"))
        #expect(report.text.hasSuffix("no titles\n\nno tracks"))
        #expect(try JSONParser.parse(report.json.utf8)["channels"]?.elements?.count == 1)
    }

    /// Checks reasons, states and IDs; each row stays on one line of a terminal.
    @Test func statusTellsWhatIsWrong() throws {
        let long = String(repeating: "cannot be read; ", count: 20)
        let channel = try JSONParser.parse(
            #"{"name":"a","state":"idle","errors":[{"at":"2026-11-22T16:00:01Z","message":"old"},{"at":"2026-11-22T16:05:01Z","message":"the push\n\u001bended"}]}"#
                .utf8)
        let title = try JSONParser.parse(
            #"{"id":"film-1","title":"Film","state":"failed","file":"film.mp4","error":"\#(long)"}"#.utf8)
        let track = try JSONParser.parse(
            #"{"id":"song-2","title":"Song","state":"probing","progress":0.4,"error":null}"#.utf8)
        let text = StatusReport(channels: [channel], titles: [title], tracks: [track]).text
        #expect(text.contains(#"2026-11-22 16:05 the push\n\u{1b}ended"#) && !text.contains("old"))
        let lines = text.split(separator: "\n")
        let titleLine = try #require(lines.first { $0.hasPrefix("film-1  Film") })
        #expect(titleLine.contains("failed") && titleLine.hasSuffix("cannot be read; cannot be read; cannot be read;…"))
        #expect(lines.contains { $0.hasPrefix("song-2  Song") && $0.contains("probing 40 %") })
        #expect(lines.count == 6)
    }

    @Test func jobsAreATable() throws {
        let job = try JSONParser.parse(
            #"{"id":"12","kind":"title","state":"transcoding","progress":0.559,"priority":-3,"attempt":2,"file":"a\u0007.mkv","error":null,"message":"converted"}"#
                .utf8)
        let lines = JobReport(jobs: [job]).text.split(separator: "\n")
        #expect(lines.first == "ID  KIND   STATE        PROGRESS  PRIORITY  ATTEMPT  FILE        MESSAGE")
        #expect(lines.last == #"12  title  transcoding  55 %      -3        2        a\u{7}.mkv  converted"#)
        #expect(JobReport(jobs: []).text == "no jobs")
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
