import Foundation
import TestSupport

/// A small video in one of many formats, made by ffmpeg, and the expected treatment of it.
struct SourceFile: Sendable {
    enum Outcome: Sendable {
        /// Packaged in place.
        case inPlace
        /// Copied into an MP4 without re-encoding.
        case remuxed
        /// Converted, because at least one stream could not be copied.
        case converted
    }

    var name: String
    var outcome = Outcome.inPlace
    /// The arguments of ffmpeg without the output file.
    var arguments: [String]
    /// An edit of the boxes of the finished file.
    var edit: (@Sendable ([BoxNode]) -> [BoxNode])?
    /// The expected codecs of all variants together.
    var codecs: Set<String>
    /// True if audio packets are compared byte by byte; not possible if the container wraps them.
    var comparesAudio = true

    func make(at path: String) async throws {
        try await MediaClients.make(path, arguments)
        guard let edit else { return }
        let nodes = edit(BoxNode.parse(try bytesOfFile(path)))
        try Data(nodes.flatMap(\.bytes)).write(to: URL(fileURLWithPath: path))
    }

    // MARK: Arguments

    static let seconds = 5.0

    static func pattern(_ rate: String = "25", filters: String = "") -> [String] {
        ["-f", "lavfi", "-i", "testsrc2=size=160x90:rate=\(rate):duration=\(seconds)\(filters)"]
    }

    static let sine = ["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000:duration=\(seconds)", "-ac", "2"]
    static let both = pattern() + sine

    static let h264 = h264(["-bf", "3", "-b_strategy", "0"])
    /// H.264 with B-frames as references and open GOPs.
    static let pyramid = h264(
        ["-bf", "4", "-b_strategy", "0", "-refs", "4", "-x264-params", "b-pyramid=normal:open-gop=1"])
    static let h264InOrder = h264(["-bf", "0"])
    static func h264(_ more: [String]) -> [String] {
        ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-threads", "1", "-g", "25"] + more
    }
    static func hevc(tag: String? = nil) -> [String] {
        [
            "-c:v", "libx265", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-x265-params",
            "log-level=none:keyint=25:bframes=3:pools=1:frame-threads=1",
        ] + (tag.map { ["-tag:v", $0] } ?? [])
    }
    static let av1 = ["-c:v", "libsvtav1", "-preset", "12", "-g", "50", "-pix_fmt", "yuv420p"]
    static let aac = ["-c:a", "aac", "-b:a", "64k"]
    static func sound(_ encoder: String) -> [String] { ["-c:a", encoder, "-strict", "-2"] }

    static let avc = "avc1.42c00b"
    static let main = "hvc1.1.6.L30.90"
    static let av01 = "av01.0.00M.08"
    static let lowComplexity = "mp4a.40.2"

    // MARK: Boxes

    /// Edits of the first track, in pairs of duration (milliseconds) and first presented time (ticks).
    static func editing(_ edits: [(milliseconds: UInt32, start: UInt32)]) -> @Sendable ([BoxNode]) -> [BoxNode] {
        changingFirstTrack { track in
            let words = edits.flatMap { [$0.milliseconds, $0.start, UInt32(0x10000)] }
            return track.replacing("elst") { _ in BoxNode(full: "elst", [UInt32(edits.count)] + words) }
        }
    }

    static func changingFirstTrack(
        _ change: @escaping @Sendable (BoxNode) -> BoxNode
    ) -> @Sendable ([BoxNode]) -> [BoxNode] {
        { nodes in
            nodes.map { node in
                guard node.type == "moov", let index = node.children.firstIndex(where: { $0.type == "trak" }) else {
                    return node
                }
                var movie = node
                movie.children[index] = change(movie.children[index])
                return movie
            }
        }
    }

    /// Rewrites offsets as 64-bit, for files whose `moov` comes last, so that no media moves.
    static let wideOffsets: @Sendable ([BoxNode]) -> [BoxNode] = { nodes in
        nodes.map { node in
            guard node.type == "moov" else { return node }
            return node.replacing("stco") { box in
                let fields: [UInt32] = stride(from: 4, to: box.content.count, by: 4).map { offset in
                    box.content[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
                }
                let wide: [UInt32] = fields.dropFirst().flatMap { [0, $0] }
                return BoxNode(full: "co64", [fields[0]] + wide)
            }
        }
    }

    static let withoutSyncSamples = changingFirstTrack { $0.replacing("stss") { _ in nil } }
}

extension SourceFile {
    /// MP4 and MOV files that HLS can use as they are, and edit lists that it cannot represent.
    static var inPlace: [SourceFile] { containers + tracks + editLists + frames + audioTracks }

    private static let frames: [SourceFile] = [
        SourceFile(name: "hvc1.mp4", arguments: both + hevc(tag: "hvc1") + aac, codecs: [main, lowComplexity]),
        SourceFile(name: "hev1.mp4", arguments: both + hevc(tag: "hev1") + aac, codecs: [main, lowComplexity]),
        SourceFile(name: "av1.mp4", arguments: both + av1 + aac, codecs: [av01, lowComplexity]),
    ]

    private static let audioTracks: [SourceFile] = {
        let encoders: [(name: String, encoder: String, codec: String)] = [
            ("ac3.mp4", "ac3", "ac-3"), ("eac3.mp4", "eac3", "ec-3"), ("mp3.mp4", "libmp3lame", "mp4a.6B"),
            ("opus.mp4", "libopus", "opus"), ("flac.mp4", "flac", "fLaC"), ("alac.mp4", "alac", "alac"),
            ("alac.mov", "alac", "alac"), ("mp3.mov", "libmp3lame", "mp4a.6B"),
        ]
        return encoders.map { name, encoder, codec in
            SourceFile(name: name, arguments: both + h264 + sound(encoder), codecs: [avc, codec])
        }
    }()

    private static let containers: [SourceFile] = {
        let flags: [(name: String, flags: [String])] = [
            ("plain.mp4", []), ("faststart.mp4", ["-movflags", "faststart"]), ("plain.mov", []),
            ("fragmented.mp4", ["-movflags", "frag_keyframe+empty_moov"]),
            ("no-offsets.mp4", ["-movflags", "frag_keyframe+empty_moov+omit_tfhd_offset"]),
            ("moof-based.mp4", ["-movflags", "frag_keyframe+empty_moov+default_base_moof"]),
            ("delayed-moov.mp4", ["-movflags", "frag_keyframe+delay_moov"]),
            ("sidx.mp4", ["-movflags", "dash+frag_keyframe", "-frag_duration", "1000000"]),
            ("cmaf.mp4", ["-movflags", "cmaf", "-frag_duration", "1500000"]),
            ("negative-offsets.mp4", ["-movflags", "negative_cts_offsets"]),
        ]
        return flags.map { name, flags in
            SourceFile(name: name, arguments: both + h264 + aac + flags, codecs: [avc, lowComplexity])
        }
    }()

    private static let tracks: [SourceFile] = [
        SourceFile(
            name: "co64.mp4", arguments: both + h264 + aac, edit: wideOffsets, codecs: [avc, lowComplexity]),
        SourceFile(
            name: "no-stss.mp4", arguments: both + h264 + aac, edit: withoutSyncSamples, codecs: [avc, lowComplexity]),
        SourceFile(
            name: "variable-rate.mp4",
            arguments: pattern("30", filters: ",select='mod(n\\,3)*mod(n\\,7)'") + sine + h264InOrder
                + ["-vsync", "vfr"] + aac, codecs: [avc, lowComplexity]),
        SourceFile(
            name: "languages.mp4",
            arguments: both + ["-f", "lavfi", "-i", "sine=frequency=880:sample_rate=44100:duration=\(seconds)"]
                + ["-map", "0:v", "-map", "1:a", "-map", "2:a", "-metadata:s:a:0", "language=spa"]
                + ["-metadata:s:a:1", "language=eng"] + h264 + aac, codecs: [avc, lowComplexity]),
        SourceFile(
            name: "codecs.mp4",
            arguments: both + ["-map", "0:v", "-map", "1:a", "-map", "1:a", "-c:a:0", "aac", "-c:a:1", "ac3"] + h264,
            codecs: [avc, lowComplexity, "ac-3"]),
    ]

    private static let editLists: [SourceFile] = [
        SourceFile(
            name: "late-sound.mp4", arguments: pattern() + ["-itsoffset", "0.7"] + sine + h264 + aac,
            codecs: [avc, lowComplexity]),
        SourceFile(
            name: "late-frame.mp4",
            arguments: ["-itsoffset", "1.5"] + pattern() + sine + h264 + ["-vsync", "vfr"] + aac,
            codecs: [avc, lowComplexity]),
        // 25 frames per second at 12,800 ticks per second: a key frame every 12,800 ticks.
        SourceFile(
            name: "cut-at-key-frame.mp4", arguments: pattern() + h264InOrder,
            edit: editing([(milliseconds: 3_000, start: 12_800)]), codecs: [avc]),
        SourceFile(
            name: "cut-at-the-end.mp4", arguments: pattern() + h264InOrder,
            edit: editing([(milliseconds: 2_500, start: 0)]), codecs: [avc]),
        SourceFile(
            name: "two-edits-in-a-row.mp4", arguments: pattern() + h264InOrder,
            edit: editing([(milliseconds: 2_000, start: 0), (milliseconds: 3_000, start: 25_600)]), codecs: [avc]),
        SourceFile(
            name: "cut-between-key-frames.mp4", outcome: .converted, arguments: pattern() + h264InOrder,
            edit: editing([(milliseconds: 3_000, start: 16_384)]), codecs: [avc]),
        SourceFile(
            name: "cut-in-the-middle.mp4", outcome: .converted, arguments: pattern() + h264InOrder,
            edit: editing([(milliseconds: 1_000, start: 0), (milliseconds: 2_000, start: 32_000)]), codecs: [avc]),
    ]

    /// Other containers, whose streams are copied.
    static var remuxed: [SourceFile] { copied + copiedInPart }

    private static let copied: [SourceFile] = {
        let files: [(name: String, video: [String], audio: [String], codecs: Set<String>)] = [
            ("aac.mkv", h264, aac, [avc, lowComplexity]), ("hevc-ac3.mkv", hevc(), sound("ac3"), [main, "ac-3"]),
            ("av1-opus.mkv", av1, sound("libopus"), [av01, "opus"]),
            ("av1-opus.webm", av1, sound("libopus"), [av01, "opus"]),
            ("flac.mkv", h264, sound("flac"), [avc, "fLaC"]), ("alac.mkv", h264, sound("alac"), [avc, "alac"]),
            ("mp3.mkv", h264, sound("libmp3lame"), [avc, "mp4a.6B"]),
            ("eac3.mkv", h264, sound("eac3"), [avc, "ec-3"]),
            ("mp3.avi", h264InOrder, sound("libmp3lame"), [avc, "mp4a.6B"]),
            ("ac3.avi", h264InOrder, sound("ac3"), [avc, "ac-3"]), ("aac.flv", h264, aac, [avc, lowComplexity]),
            // AVI does not store presentation times.
            ("reordered.avi", h264, sound("libmp3lame"), [avc, "mp4a.6B"]),
            ("pyramid.avi", pyramid, sound("ac3"), [avc, "ac-3"]),
            ("hevc.avi", hevc(tag: "HEVC"), sound("ac3"), [main, "ac-3"]),
            ("mp3.flv", h264, ["-ar", "44100"] + sound("libmp3lame"), [avc, "mp4a.6B"]),
            ("ac3.ts", h264, sound("ac3"), [avc, "ac-3"]), ("mp3.ts", h264, sound("libmp3lame"), [avc, "mp4a.6B"]),
            ("hevc-eac3.ts", hevc(), sound("eac3"), [main, "ec-3"]),
        ]
        return files.map { file in
            SourceFile(
                name: file.name, outcome: .remuxed, arguments: both + file.video + file.audio, codecs: file.codecs)
        }
    }()

    private static let copiedInPart: [SourceFile] = [
        // AAC frames have their own headers in that container.
        SourceFile(
            name: "aac.ts", outcome: .remuxed, arguments: both + h264 + aac, codecs: [avc, lowComplexity],
            comparesAudio: false),
        SourceFile(
            name: "languages.mkv", outcome: .remuxed,
            arguments: both + ["-map", "0:v", "-map", "1:a", "-map", "1:a", "-c:a:0", "ac3", "-c:a:1", "aac"]
                + ["-metadata:s:a:0", "language=spa", "-metadata:s:a:1", "language=eng"] + h264,
            codecs: [avc, "ac-3", lowComplexity]),
        // Only the audio is converted; the video is copied.
        SourceFile(
            name: "vorbis.mkv", outcome: .remuxed, arguments: both + h264 + sound("libvorbis"),
            codecs: [avc, lowComplexity], comparesAudio: false),
    ]
}
