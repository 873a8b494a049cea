import TestSupport

/// Decodes and probes URLs and files with ffmpeg and ffprobe.
enum MediaClients {
    /// The digests of all decoded frames, without timestamps.
    static func frameDigests(_ input: String) async throws -> [String] {
        try await digests(input, ["-map", "0:v:0", "-fps_mode", "passthrough"])
    }

    /// The digests of all decoded frames with their times in seconds from the first frame.
    static func frames(_ input: String) async throws -> [(time: Double, digest: String)] {
        let result = try await ExternalTool.ffmpeg().run(
            [
                "-hide_banner", "-loglevel", "error", "-nostdin", "-threads", "1", "-noautorotate", "-copyts", "-i",
                input,
                "-map", "0:v:0", "-fps_mode", "passthrough", "-enc_time_base", "1:90000", "-f", "framemd5", "-",
            ], deadline: 90)
        let pictures = result.lines.filter { !$0.hasPrefix("#") }.compactMap { line -> (Double, String)? in
            let fields = line.split(separator: ",").map { $0.drop { $0 == " " } }
            guard fields.count >= 6, let ticks = Double(fields[2]) else { return nil }
            return (ticks / 90_000, String(fields[5]))
        }
        let start = pictures.first?.0 ?? 0
        return pictures.map { (time: $0.0 - start, digest: $0.1) }
    }

    /// The digests of all audio packets as stored.
    static func audioPacketDigests(_ input: String) async throws -> [String] {
        try await digests(input, ["-map", "0:a:0", "-c", "copy"])
    }

    /// The digests of the frames received over RTSP, at most `limit`.
    static func frameDigests(_ input: String, transport: String, limit: Int) async throws -> [String] {
        try await digests(
            input, ["-map", "0:v:0", "-fps_mode", "passthrough", "-frames:v", "\(limit)"],
            inputOptions: ["-rtsp_transport", transport])
    }

    private static func digests(
        _ input: String, _ options: [String], inputOptions: [String] = []
    ) async throws -> [String] {
        let result = try await ExternalTool.ffmpeg().run(
            ["-hide_banner", "-loglevel", "error", "-nostdin"] + inputOptions + ["-i", input] + options
                + ["-f", "framemd5", "-"],
            deadline: 90)
        return result.lines.filter { !$0.hasPrefix("#") }
            .compactMap { $0.split(separator: ",").dropFirst(5).first.map { $0.drop { $0 == " " } }.map(String.init) }
    }

    /// The `codec_name` of each stream.
    static func codecs(_ input: String) async throws -> Set<String> {
        let result = try await ExternalTool.ffprobe().run(
            ["-v", "error", "-show_entries", "stream=codec_name", "-of", "csv=p=0", input], deadline: 60)
        return Set(result.lines.map { String($0.prefix { $0 != "," }) })
    }

    /// Decodes `seconds` of a channel or a title; fails if there is any error.
    static func decode(_ input: String, seconds: Double) async throws {
        _ = try await ExternalTool.ffmpeg().run(
            [
                "-hide_banner", "-v", "error", "-xerror", "-nostdin", "-i", input, "-t", "\(seconds)", "-f", "null",
                "-",
            ], deadline: 90)
    }

    /// Returns whether the libav of this machine has the encoder.
    static func hasEncoder(_ name: String) async throws -> Bool {
        try await ExternalTool.ffmpeg().run(["-hide_banner", "-encoders"]).lines.contains { $0.contains(" \(name) ") }
    }

    static func make(_ output: String, _ arguments: [String]) async throws {
        _ = try await ExternalTool.ffmpeg().run(
            ["-hide_banner", "-loglevel", "error", "-y", "-nostdin"] + arguments + [output], deadline: 120)
    }
}
