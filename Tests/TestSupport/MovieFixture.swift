import Foundation

/// A small movie that ffmpeg generates once per process: a test pattern of 160 × 90 pixels and a sine tone.
package enum MovieFixture: String, CaseIterable, Sendable {
    case bFrames
    case noBFrames
    case hevc
    case fragmented
    case fragmentedWithDelayedMovie
    case cmaf
    case lateAudio
    case lateVideo
    /// Audio starts at 7 s and continues long after the end of the video.
    case veryLateAudio
    case quickTime
    case audioOnly
    case videoOnly
    case variableFrameRate
    case shortAudio
    case longAudio
    case rotated
    case onlyKeyFrames
    case rareKeyFrames
    /// Frames that are displayed before a key frame refer to frames before it.
    case openGroups
    case anamorphic
    /// Two seconds with all features, small enough to be damaged in thousands of ways.
    case brief
    case briefFragmented

    private static let quickH264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-threads", "1"]
    private static let aac = ["-c:a", "aac", "-b:a", "64k"]

    private static func pattern(_ rate: String = "25", seconds: Double, filters: String = "") -> [String] {
        ["-f", "lavfi", "-i", "testsrc2=size=160x90:rate=\(rate):duration=\(seconds)\(filters)"]
    }

    private static func sine(_ seconds: Double, rate: Int = 48_000, filters: String = "") -> [String] {
        [
            "-f", "lavfi", "-i",
            "sine=frequency=440:sample_rate=\(rate):duration=\(seconds),aformat=channel_layouts=stereo\(filters)",
        ]
    }

    private var fileName: String {
        switch self {
        case .quickTime: "\(rawValue).mov"
        case .audioOnly: "\(rawValue).m4a"
        default: "\(rawValue).mp4"
        }
    }

    /// The arguments of ffmpeg without the output file.
    private var arguments: [String] {
        let h264 = Self.quickH264
        let aac = Self.aac
        let reordered = h264 + ["-bf", "3", "-g", "50", "-b_strategy", "0"]
        let both = Self.pattern(seconds: 14) + Self.sine(14)
        switch self {
        case .bFrames: return both + reordered + aac + ["-movflags", "faststart", "-metadata", "title=Prueba ñ"]
        case .openGroups:
            return both + h264 + ["-bf", "2", "-g", "50", "-b_strategy", "0", "-x264-params", "open-gop=1"] + aac
        case .noBFrames:
            return Self.pattern("30000/1001", seconds: 13) + Self.sine(13, rate: 44_100) + h264
                + ["-bf", "0", "-g", "60"] + aac + ["-metadata:s:a", "language=spa"]
        case .hevc:
            return Self.pattern(seconds: 7) + Self.sine(7)
                + [
                    "-c:v", "libx265", "-preset", "ultrafast", "-tag:v", "hvc1", "-pix_fmt", "yuv420p",
                    "-x265-params", "log-level=none:keyint=50:open-gop=0:bframes=3:pools=1:frame-threads=1",
                ] + aac
        case .fragmented: return both + reordered + aac + ["-movflags", "frag_keyframe+empty_moov"]
        case .fragmentedWithDelayedMovie:
            return both + reordered + aac + ["-movflags", "frag_keyframe+delay_moov+default_base_moof"]
        case .cmaf: return both + reordered + aac + ["-movflags", "cmaf", "-frag_duration", "2000000"]
        case .lateAudio:
            return Self.pattern(seconds: 14) + ["-itsoffset", "0.7"] + Self.sine(13) + reordered + aac
        case .veryLateAudio:
            return Self.pattern(seconds: 8) + ["-itsoffset", "7"] + Self.sine(25) + reordered + aac
        case .lateVideo:
            return ["-itsoffset", "1.5"] + Self.pattern(seconds: 12) + Self.sine(14) + reordered + ["-vsync", "vfr"]
                + aac
        case .quickTime: return both + reordered + aac
        case .audioOnly: return Self.sine(20) + aac
        case .videoOnly: return Self.pattern(seconds: 9) + reordered
        case .variableFrameRate:
            // Drops every third and every seventh frame.
            return Self.pattern("30", seconds: 14, filters: ",select='mod(n\\,3)*mod(n\\,7)'") + Self.sine(14) + h264
                + ["-bf", "0", "-g", "40", "-vsync", "vfr"] + aac
        case .shortAudio: return Self.pattern(seconds: 14) + Self.sine(5) + reordered + aac
        case .longAudio: return Self.pattern(seconds: 8) + Self.sine(25) + reordered + aac
        case .rotated: return Self.pattern(seconds: 3) + h264 + ["-bf", "0", "-g", "25"]
        case .onlyKeyFrames: return both + h264 + ["-bf", "0", "-g", "1"] + aac
        case .rareKeyFrames:
            return Self.pattern("10", seconds: 25) + h264 + ["-bf", "0", "-g", "9999", "-sc_threshold", "0"]
        case .brief: return Self.pattern(seconds: 2) + Self.sine(2) + reordered + aac + ["-movflags", "faststart"]
        case .briefFragmented:
            return Self.pattern(seconds: 2) + Self.sine(2) + reordered + ["-g", "12"] + aac
                + ["-movflags", "frag_keyframe+empty_moov"]
        case .anamorphic: return Self.pattern(seconds: 3, filters: ",setsar=16/11") + h264 + ["-bf", "0"]
        }
    }

    /// The file's path. The first call generates the file.
    package func path() async throws -> String { try await FixtureShelf.shared.path(of: self) }

    fileprivate func make(in directory: TemporaryDirectory) async throws -> String {
        let path = try directory.file(fileName)
        let bitExact = ["-fflags", "+bitexact", "-flags:v", "+bitexact", "-flags:a", "+bitexact"]
        _ = try await ExternalTool.ffmpeg().run(
            ["-v", "error", "-y", "-nostdin"] + arguments + bitExact + [path], deadline: 120)
        if self == .rotated { try Self.rotate(path) }
        return path
    }

    /// Rotates the video by 90 degrees, as phones do, with an edit that this ffmpeg cannot make.
    private static func rotate(_ path: String) throws {
        let nodes = BoxNode.parse(try bytesOfFile(path)).map { node in
            guard node.type == "moov" else { return node }
            return node.replacing("tkhd") { box in
                let matrix: [UInt32] = [0, 0x10000, 0, 0xFFFF_0000, 0, 0, 90 << 16, 0, 0x4000_0000]
                return matrix.enumerated().reduce(box) { $0.setting($1.element, at: 40 + $1.offset * 4) }
            }
        }
        try Data(nodes.flatMap(\.bytes)).write(to: URL(fileURLWithPath: path))
    }
}

/// Generates each fixture once and removes all when the process exits.
private actor FixtureShelf {
    static let shared = FixtureShelf()
    private var files: [MovieFixture: Task<String, any Error>] = [:]
    private var directory: TemporaryDirectory?

    func path(of fixture: MovieFixture) async throws -> String {
        if let file = files[fixture] { return try await file.value }
        let directory = try self.directory ?? .untilExit(label: "fixtures")
        self.directory = directory
        let task = Task { try await fixture.make(in: directory) }
        files[fixture] = task
        return try await task.value
    }
}
