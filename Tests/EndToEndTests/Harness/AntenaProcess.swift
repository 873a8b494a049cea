import Database
import DatabaseTestSupport
import Foundation
import Glibc
import TestSupport
import Testing

/// The built program, serving on free ports from temporary folders.
///
/// `@unchecked Sendable`: `process` is replaced only by `start`, which a test calls from one task at a time.
final class AntenaProcess: @unchecked Sendable {
    let folder: TemporaryDirectory
    private(set) var httpPort = 0
    private(set) var httpsPort = 0
    private(set) var rtspPort = 0
    private(set) var rtspsPort = 0
    private(set) var wowzaPort = 0
    private(set) var rtmpPort = 0
    private(set) var rtmpsPort = 0
    private(set) var srtPort = 0
    /// Arguments in addition to those of every test's server.
    let extraArguments: [String]
    /// A program with arguments that prepares the server's environment and then executes the command line that follows.
    var launcher: [String] = []
    private var process: Process?
    private var startCount = 0

    /// The path of the program: beside the test bundle, unless ANTENA_BINARY is set.
    static var executable: String {
        if let path = ProcessInfo.processInfo.environment["ANTENA_BINARY"] { return path }
        let bundle = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        return bundle.deletingLastPathComponent().appendingPathComponent("antena").path
    }

    /// A channels file with four channels with one-second segments, so that a window fills quickly.
    ///
    /// - Parameter fields: further JSON members, keyed by channel.
    static func channelsFile(_ fields: [String: String] = [:]) -> String {
        let channels = ["canalA", "canalB", "canalC", "canalD"].map { name in
            """
            { "name": "\(name)", "title": "\(name)", "defaultPreset": "medium", "presets": ["medium"],
              "segmentDuration": 1, "targetDuration": 2\(fields[name].map { ", \($0)" } ?? "") }
            """
        }
        return """
            {
              "presets": {
                "medium": { "width": 854, "height": 480, "frameRate": 30, "videoBitrate": 1200000, "audioBitrate": 96000 }
              },
              "channels": [
                \(channels.joined(separator: ",\n"))
              ]
            }
            """
    }

    /// Prepares a server whose catalogue is on the engine of the test.
    ///
    /// - Parameters:
    ///   - extraArguments: arguments in addition to those of every test's server.
    ///   - wowzaPort: the value of `--wowza-port`; `nil` omits the flag.
    ///   - channels: the content of the channels file; `nil` for ``channelsFile(_:)``.
    init(
        extraArguments: [String] = [], wowzaPort: String? = "0", channelFields: [String: String] = [:],
        folder: TemporaryDirectory? = nil, channels: String? = nil
    ) throws {
        self.folder = try folder ?? TemporaryDirectory(label: "e2e")
        let database =
            try TestEngine.current == .sqlite
            ? [] : ["--database", TestDatabase.address(inFolder: self.folder.path).description]
        self.extraArguments = (wowzaPort.map { ["--wowza-port", $0] } ?? []) + database + extraArguments
        for name in ["media/vod", "media/audio", "data"] {
            try FileManager.default.createDirectory(
                atPath: "\(self.folder.path)/\(name)", withIntermediateDirectories: true)
        }
        try self.folder.write(channels ?? Self.channelsFile(channelFields), to: "channels.json")
    }

    deinit {
        guard let process, process.isRunning else { return }
        Glibc.kill(process.processIdentifier, SIGKILL)
    }

    var arguments: [String] { arguments(http: 0, rtsp: 0) }

    private func arguments(http: Int, rtsp: Int) -> [String] {
        [
            "serve", "--http", "127.0.0.1:\(http)", "--rtsp", "127.0.0.1:\(rtsp)", "--print-ports", "--data",
            "\(folder.path)/data", "--media", "\(folder.path)/media", "--channels", "\(folder.path)/channels.json",
        ] + extraArguments
    }

    var web: HTTPOrigin { HTTPOrigin(port: httpPort) }
    var origin: String { web.origin }
    var log: String { (try? String(contentsOfFile: "\(folder.path)/log-\(startCount)", encoding: .utf8)) ?? "" }
    var processIdentifier: Int32 { process?.processIdentifier ?? 0 }
    var isRunning: Bool { process?.isRunning ?? false }

    /// Starts a server; `prepare` puts files into its folder first.
    static func serving(_ prepare: (TemporaryDirectory) async throws -> Void = { _ in }) async throws -> AntenaProcess {
        let server = try AntenaProcess()
        try await prepare(server.folder)
        try await server.start()
        return server
    }

    /// - Parameters:
    ///   - http: the HTTP port, for clients that reconnect; 0 chooses a free one, as for `rtsp`.
    func start(http: Int = 0, rtsp: Int = 0) async throws {
        startCount += 1
        let output = try folder.write("", to: "ports-\(startCount)")
        let log = try folder.write("", to: "log-\(startCount)")
        let process = Process()
        let command = launcher + [Self.executable] + arguments(http: http, rtsp: rtsp)
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.standardInput = FileHandle.nullDevice
        let files = try process.sendOutput(to: output, errorOutput: log)
        defer { files.close() }
        try process.run()
        self.process = process
        let ports = try await eventually("the server prints its ports; its log: \(self.log)", within: 120) { [self] in
            guard process.isRunning else { throw ExitedEarly(log: self.log) }
            let text = try String(contentsOfFile: output, encoding: .utf8)
            guard text.hasSuffix("\n") else { return nil as [String: Int]? }
            return try JSONDecoder().decode([String: Int].self, from: Data(text.utf8))
        }
        httpPort = ports["http"] ?? 0
        httpsPort = ports["https"] ?? 0
        rtspPort = ports["rtsp"] ?? 0
        rtspsPort = ports["rtsps"] ?? 0
        wowzaPort = ports["wowza"] ?? 0
        rtmpPort = ports["rtmp"] ?? 0
        rtmpsPort = ports["rtmps"] ?? 0
        srtPort = ports["srt"] ?? 0
    }

    struct ExitedEarly: Error, CustomStringConvertible {
        var log: String
        var description: String { "the server ended at once:\n\(log)" }
    }

    /// Runs the program with other arguments until it exits.
    static func command(_ arguments: [String], deadline: Double = 60) async throws -> ExternalTool.Result {
        try await ExternalTool("env").run([executable] + arguments, deadline: deadline, requiringSuccess: false)
    }

    /// Runs the program in the same way as a user who can read the server's data folder.
    func command(_ arguments: [String], deadline: Double = 60) async throws -> ExternalTool.Result {
        try await ExternalTool("env").run(
            ["ANTENA_DATA=\(folder.path)/data", Self.executable] + arguments, deadline: deadline,
            requiringSuccess: false)
    }

    func signal(_ number: Int32) { Glibc.kill(processIdentifier, number) }

    /// Waits until the program has exited.
    ///
    /// - Returns: the exit code, or the negated signal number.
    func waitForExit(within seconds: Double) async throws -> Int32 {
        try await eventually("the server ends", within: seconds) { [self] in
            guard let process, !process.isRunning else { return nil }
            return process.terminationReason == .uncaughtSignal ? -process.terminationStatus : process.terminationStatus
        }
    }

    // MARK: HTTP

    /// The operator token, which the server creates at its first start.
    var operatorToken: String {
        get throws {
            try String(contentsOfFile: "\(folder.path)/data/operator-token", encoding: .utf8)
                .trimmingCharacters(in: .newlines)
        }
    }

    /// Sends a request as an operator; ``web`` sends requests without a token.
    func request(
        _ path: String, method: String = "GET", headers: [String: String] = [:], body: String = ""
    ) async throws -> WebReply {
        let authorization = ["Authorization": "Bearer \(try operatorToken)"]
        return try await web.request(
            path, method: method, headers: headers.merging(authorization) { given, _ in given }, body: body)
    }

    /// Logs somebody in, and returns the secret of the session, which a program sends as a bearer token.
    func session(_ name: String, password: String = "correct horse battery") async throws -> String {
        let reply = try await web.request(
            "/api/v1/session", method: "POST", headers: ["Content-Type": "application/json"],
            body: #"{"username": "\#(name)", "password": "\#(password)", "returnsToken": true}"#)
        return try #require(try reply.json["token"] as? String, "\(reply.text)")
    }

    /// The items of a list of the API.
    func items(_ path: String) async throws -> [[String: Any]] {
        try await request(path).json["items"] as? [[String: Any]] ?? []
    }

    /// The fields of a title or track that tests use.
    struct Entry: Sendable {
        var id: String
        var title: String
        var state: String
        var error: String?
        var playlist: String
        var duration: Double?
    }

    /// Waits until the title of `file`, of whatever kind, is ready or has failed.
    func ingested(_ file: String, within seconds: Double = 60) async throws -> Entry {
        try await settled("/api/v1/titles", query: "kind=all&", within: seconds) { ($0["file"] as? String) == file }
    }

    /// Waits until the track with that title is ready or has failed.
    func ingestedTrack(titled title: String, within seconds: Double = 60) async throws -> Entry {
        try await settled("/api/v1/tracks", within: seconds) { ($0["title"] as? String) == title }
    }

    private func settled(
        _ path: String, query: String = "", within seconds: Double, _ isIt: ([String: Any]) -> Bool
    ) async throws -> Entry {
        try await eventually("an entry of \(path) settles", within: seconds) {
            guard let item = try await items("\(path)?\(query)limit=100").first(where: isIt),
                let state = item["state"] as? String, ["ready", "failed", "cancelled"].contains(state)
            else { return nil }
            return Entry(
                id: item["id"] as? String ?? "", title: item["title"] as? String ?? "", state: state,
                error: item["error"] as? String, playlist: item["playlist"] as? String ?? "",
                duration: item["duration"] as? Double)
        }
    }

    func channelState(_ name: String) async throws -> String? {
        try await request("/api/v1/channels/\(name)").json["state"] as? String
    }

    /// Waits until a push to canalA is shown.
    func isOnAir() async throws {
        _ = try await eventually("the channel is on the air", within: 30) {
            try await channelState("canalA") == "live" ? true : nil
        }
    }
}
