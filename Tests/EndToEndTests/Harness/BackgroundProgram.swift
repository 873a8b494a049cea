import Foundation
import Glibc
import TestSupport

/// A client that runs beside a test until it is killed: a publisher, a browser.
///
/// `@unchecked Sendable`: `process` is set once; only its number and state are asked for.
final class BackgroundProgram: @unchecked Sendable {
    private let process = Process()
    private let scratch: TemporaryDirectory

    /// A script in Tests/Support.
    ///
    /// - Parameter interpreter: `/usr/bin/python3` for scripts that need Debian's modules.
    static func script(
        _ name: String, _ arguments: [String], interpreter: String = "python3"
    ) throws -> BackgroundProgram {
        try BackgroundProgram("env", [interpreter, "\(Repository.path)/Tests/Support/\(name)"] + arguments)
    }

    /// The port of a server that prints it as its first line.
    func port() async throws -> Int {
        try await eventually("its port: \(errorOutput)") {
            output.split(separator: "\n").first.flatMap { Int($0) }
        }
    }

    init(_ name: String, _ arguments: [String]) throws {
        scratch = try TemporaryDirectory(label: name)
        process.executableURL = URL(fileURLWithPath: try ExternalTool(name).path)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        let files = try process.sendOutput(
            to: scratch.write("", to: "out"), errorOutput: scratch.write("", to: "err"))
        defer { files.close() }
        try process.run()
    }

    deinit { kill() }

    var output: String { text("out") }
    var errorOutput: String { text("err") }
    var isRunning: Bool { process.isRunning }

    private func text(_ name: String) -> String {
        (try? String(contentsOfFile: "\(scratch.path)/\(name)", encoding: .utf8)) ?? ""
    }

    /// Kills the program at once, as when a phone's battery dies.
    func kill() {
        guard process.isRunning else { return }
        Glibc.kill(process.processIdentifier, SIGKILL)
    }

    func signal(_ number: Int32) {
        guard process.isRunning else { return }
        Glibc.kill(process.processIdentifier, number)
    }

    /// Terminates the program, so that its child processes end as well.
    func terminate() {
        guard process.isRunning else { return }
        Glibc.kill(process.processIdentifier, SIGTERM)
    }

    func waitForExit(within seconds: Double) async throws -> Int32 {
        let output = { "\(self.output)\n\(self.errorOutput.suffix(1_000))" }
        return try await eventually("the client ends: \(output())", within: seconds) {
            process.isRunning ? nil : process.terminationStatus
        }
    }

    /// A test pattern with a tone, pushed in real time.
    static func publisher(
        to url: String, transport: String = "tcp", videoCodec: [String] = h264, audioCodec: [String] = aac
    ) throws -> BackgroundProgram {
        try BackgroundProgram(
            "ffmpeg",
            [
                "-hide_banner", "-loglevel", "error", "-nostdin", "-re", "-f", "lavfi", "-i",
                "testsrc2=size=320x180:rate=25", "-re", "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000",
            ] + videoCodec + audioCodec + ["-t", "120", "-f", "rtsp", "-rtsp_transport", transport, url])
    }

    static let h264 = [
        "-c:v", "libx264", "-preset", "ultrafast", "-tune", "zerolatency", "-pix_fmt", "yuv420p", "-g", "25",
        "-b:v", "300k", "-threads", "1",
    ]
    static let aac = ["-c:a", "aac", "-b:a", "64k", "-ac", "2"]
}
