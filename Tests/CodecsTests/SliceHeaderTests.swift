import Foundation
import TestSupport
import Testing

@testable import Codecs

/// Where slice data begins, beside what ffmpeg reads of the same slice headers.
struct SliceHeaderTests {
    private static let h264: [[String]] = [
        ["-x264-params", "ref=5:bframes=3:weightp=2:b-pyramid=normal:slices=3:log=-1"],
        ["-profile:v", "baseline", "-x264-params", "ref=3:log=-1"],
        ["-flags", "+ildct+ilme", "-x264-params", "tff=1:weightb=1:bframes=2:cabac=0:no-deblock=1:log=-1"],
        ["-pix_fmt", "yuv444p", "-x264-params", "bframes=2:aud=1:open-gop=1:keyint=8:log=-1"],
        ["-pix_fmt", "gray", "-x264-params", "weightp=2:intra-refresh=1:log=-1"],
    ]
    private static let hevc: [[String]] = [
        ["-x265-params", "log-level=none:pools=1:frame-threads=1:bframes=4:weightb=1:wpp=1:ctu=16:keyint=12"],
        [
            "-x265-params",
            "log-level=none:pools=1:frame-threads=1:slices=2:sao=0:ref=5:ctu=16:min-cu-size=8",
        ],
        [
            "-pix_fmt", "yuv444p10", "-x265-params",
            "log-level=none:pools=1:frame-threads=1:open-gop=1:keyint=6:tskip=1",
        ],
        [
            "-x265-params",
            "log-level=none:pools=1:frame-threads=1:no-deblock=1:intra-refresh=1:rc-lookahead=6:cbqpoffs=2",
        ],
    ]

    private static let fades = "testsrc2=size=128x176:rate=25:duration=0.8,fade=out:0:18"

    @Test(arguments: h264) func sliceDataOfH264BeginsWhereFFmpegSays(_ options: [String]) async throws {
        try await check("h264", ["-c:v", "libx264", "-preset", "medium", "-threads", "1"] + options) {
            var parser = H264SliceHeaderParser()
            return try $0.compactMap { unit in
                try parser.headerByteCount(of: unit).map { Self.payloadByteCount(unit, $0, headerByteCount: 1) }
            }
        }
    }

    @Test(arguments: hevc) func sliceDataOfHEVCBeginsWhereFFmpegSays(_ options: [String]) async throws {
        try await check("hevc", ["-c:v", "libx265", "-preset", "medium"] + options) {
            var parser = HEVCSliceHeaderParser()
            return try $0.compactMap { unit in
                try parser.headerByteCount(of: unit).map { Self.payloadByteCount(unit, $0, headerByteCount: 2) }
            }
        }
    }

    private static let av1: [[String]] = [
        ["libaom-av1", "-cpu-used", "6", "-tiles", "2x2", "-lag-in-frames", "12", "-g", "12"],
        ["libaom-av1", "-cpu-used", "8", "-aom-params", "film-grain-test=5:num-tile-groups=2:tile-columns=1"],
        [
            "libaom-av1", "-cpu-used", "4", "-pix_fmt", "yuv444p10le", "-error-resilience", "default", "-aq-mode", "1",
            "-b:v", "80k",
        ],
        ["libaom-av1", "-cpu-used", "8", "-aom-params", "lossless=1", "-pix_fmt", "gray"],
        ["libaom-av1", "-cpu-used", "8", "-aom-params", "deltaq-mode=2:delta-lf-mode=1"],
        ["libaom-av1", "-usage", "realtime", "-cpu-used", "8", "-aq-mode", "3", "-b:v", "60k", "-lag-in-frames", "0"],
        ["libaom-av1", "-cpu-used", "3", "-b:v", "100k", "-lag-in-frames", "19", "-vf", "rotate=t/2"],
        ["libsvtav1", "-preset", "10", "-g", "10", "-svtav1-params", "film-grain=8"],
        ["librav1e", "-speed", "10", "-tiles", "4"],
    ]

    @Test(arguments: av1) func tilesOfAV1BeginWhereFFmpegSays(_ options: [String]) async throws {
        let folder = try TemporaryDirectory()
        let path = try folder.file("stream.obu")
        let ffmpeg = try ExternalTool.ffmpeg()
        _ = try await ffmpeg.run(
            [
                "-v", "error", "-nostdin", "-f", "lavfi", "-i", "testsrc2=size=256x192:rate=25:duration=0.8", "-c:v",
            ] + options + [path], deadline: 60)
        let trace = try await ffmpeg.run(
            ["-hide_banner", "-nostdin", "-f", "obu", "-i", path, "-c", "copy", "-bsf:v", "trace_headers", "-f"]
                + ["null", "-"], deadline: 60)
        let expected = Self.frameHeaderByteCounts(in: trace.errorOutput)
        #expect(expected.count >= 20)
        var parser: AV1FrameHeaderParser?
        var counts: [Int] = []
        for unit in try Self.obus(of: try bytesOfFile(path)) {
            if unit.type == AV1OBUType.sequenceHeader {
                let sequence = try AV1SequenceHeader(parsingPayload: unit.payload)
                if parser?.learn(sequence) == nil { parser = AV1FrameHeaderParser(sequence) }
            }
            guard [AV1OBUType.frame, AV1OBUType.frameHeader].contains(unit.type),
                let header = try parser?.header(unit.payload, layer: .init())
            else { continue }
            counts.append(unit.headerByteCount + header.byteCount)
        }
        #expect(counts == expected)
    }

    /// The sizes of the frame headers of a trace, with the OBU's header, where tiles follow.
    private static func frameHeaderByteCounts(in trace: String) -> [Int] {
        var counts: [Int] = []
        var (isHeader, isShownAgain) = (false, false)
        for line in trace.split(whereSeparator: \.isNewline) {
            guard let text = line.firstRange(of: "] ").map({ line[$0.upperBound...] }), line.contains("[trace_headers")
            else { continue }
            let words = text.split(separator: " ")
            guard let position = words.first.flatMap({ Int($0) }), words.count >= 4 else {
                isHeader = text.hasPrefix("Frame Header")
                if isHeader { counts.append(0) }
                continue
            }
            guard isHeader, !words[1].hasPrefix("trailing") else { continue }
            isShownAgain = words[1] == "show_existing_frame" ? words.last == "1" : isShownAgain
            counts[counts.count - 1] = isShownAgain ? 0 : (position + words[words.count - 3].utf8.count + 7) / 8
        }
        return counts.filter { $0 > 0 }
    }

    private static func obus(
        of stream: [UInt8]
    ) throws -> [(type: UInt8, headerByteCount: Int, payload: [UInt8])] {
        var units: [(type: UInt8, headerByteCount: Int, payload: [UInt8])] = []
        var cursor = ByteCursor(stream, structure: "stream")
        while cursor.remainingByteCount > 0 {
            let start = cursor.remainingByteCount
            let unit = try cursor.readOBU()
            units.append((unit.type, start - cursor.remainingByteCount - unit.payload.count, unit.payload))
        }
        return units
    }

    /// The bytes without those for emulation prevention, as ffmpeg counts them.
    private static func payloadByteCount(_ unit: [UInt8], _ byteCount: Int, headerByteCount: Int) -> Int {
        headerByteCount
            + rawByteSequencePayload(of: Array(unit.prefix(byteCount)), headerByteCount: headerByteCount).count
    }

    private func check(
        _ format: String, _ encoder: [String], _ measured: ([[UInt8]]) throws -> [Int]
    ) async throws {
        let folder = try TemporaryDirectory()
        let path = try folder.file("stream.\(format)")
        let ffmpeg = try ExternalTool.ffmpeg()
        _ = try await ffmpeg.run(
            ["-v", "error", "-nostdin", "-f", "lavfi", "-i", Self.fades] + encoder + ["-f", format, path], deadline: 60)
        let trace = try await ffmpeg.run(
            ["-hide_banner", "-nostdin", "-f", format, "-i", path, "-c", "copy", "-bsf:v", "trace_headers", "-f"]
                + ["null", "-"], deadline: 60)
        let expected = Self.sliceHeaderByteCounts(in: trace.errorOutput)
        let units = Self.units(of: try bytesOfFile(path))
        #expect(expected.count >= 20)
        #expect(try measured(units) == expected)
    }

    /// The sizes of the slice headers of a trace, with the NAL unit's header.
    private static func sliceHeaderByteCounts(in trace: String) -> [Int] {
        var counts: [Int] = []
        var isSlice = false
        for line in trace.split(whereSeparator: \.isNewline) {
            guard let text = line.firstRange(of: "] ").map({ line[$0.upperBound...] }), line.contains("[trace_headers")
            else { continue }
            let words = text.split(separator: " ")
            guard let position = words.first.flatMap({ Int($0) }), words.count >= 4 else {
                isSlice = text.hasPrefix("Slice Header") || text.hasPrefix("Slice Segment Header")
                if isSlice { counts.append(0) }
                continue
            }
            if isSlice { counts[counts.count - 1] = (position + words[words.count - 3].utf8.count + 7) / 8 }
        }
        return counts
    }

    /// The NAL units of a byte stream (ITU-T H.264 annex B).
    private static func units(of stream: [UInt8]) -> [[UInt8]] {
        var starts: [Int] = []
        for index in 0..<stream.count - 2 where stream[index] == 0 && stream[index + 1] == 0 && stream[index + 2] == 1 {
            starts.append(index + 3)
        }
        return zip(starts, starts.dropFirst().map { $0 - 3 } + [stream.count]).map { start, end in
            Array(stream[start..<end].reversed().drop { $0 == 0 }.reversed())
        }
    }

    // MARK: What cannot be encrypted

    @Test func unknownParameterSetsAndCutOffSlicesAreRefused() throws {
        var parser = H264SliceHeaderParser()
        #expect(throws: CodecError.self) { try parser.headerByteCount(of: [0x65, 0x88, 0x84, 0x00, 0x33]) }
        #expect(throws: CodecError.self) { try parser.headerByteCount(of: [0x65]) }
        #expect(throws: CodecError.self) { try parser.headerByteCount(of: [0x62, 0x88]) }
        #expect(try parser.headerByteCount(of: [0x06, 5, 1, 0, 0x80]) == nil)
        var hevc = HEVCSliceHeaderParser()
        #expect(throws: CodecError.self) { try hevc.headerByteCount(of: [0x26, 0x01, 0xAC, 0x10]) }
        // A slice of another layer.
        #expect(throws: CodecError.self) { try hevc.headerByteCount(of: [0x26, 0x09, 0xAC, 0x10]) }
        #expect(try hevc.headerByteCount(of: [0x4E, 0x01, 5]) == nil)
    }

    /// Frames of AV1 that refer to others that are not there, or have no sequence header or tiles, are refused.
    @Test func brokenFramesOfAV1AreRefused() throws {
        // 64 by 64 pixels, with all tools that a reduced header leaves out.
        let configuration = try AV1Configuration(sequenceHeaderPayload: Self.smallSequence)
        for bytes: [UInt8] in [
            [0x32], [0x32, 0x80], [0x32, 5, 0], [0x32, 0x80, 0x80, 0x80, 0x80, 0x01], [0x22, 1, 0], [0x42, 1, 0],
            [0x32, 4, 0x30, 0, 0, 0], [0x32, 1, 0x10], [0x1A, 1, 0x80],
        ] {
            var finder = AV1TileFinder(configuration)
            #expect(throws: CodecError.self, "\(bytes)") {
                try bytes.withUnsafeBytes { raw throws(CodecError) in try finder.tiles(in: raw) }
            }
        }
        var finder = AV1TileFinder(configuration)
        let others: [UInt8] = [0x12, 0, 0x2A, 2, 1, 2, 0x7A, 1, 0]
        #expect(try others.withUnsafeBytes { raw throws(CodecError) in try finder.tiles(in: raw) }.isEmpty)
    }

    /// A sequence header of libaom for 64 by 64 pixels.
    private static let smallSequence: [UInt8] = [0x00, 0x00, 0x00, 0x02, 0xAF, 0xFF, 0x9B, 0x5F, 0x20, 0x08]

    /// Damaged frames are refused or read, and never end the program.
    @Test func damagedBytesDoNotTrap() throws {
        var random = SeededGenerator(seed: 51)
        var (h264, hevc) = (H264SliceHeaderParser(), HEVCSliceHeaderParser())
        for _ in 0..<4_000 {
            var unit = (0..<Int.random(in: 1...60, using: &random)).map { _ in
                UInt8.random(in: .min ... .max, using: &random)
            }
            unit[0] = [0x67, 0x68, 0x65, 0x41].randomElement(using: &random) ?? 0x65
            _ = try? h264.headerByteCount(of: unit)
            if unit.count > 1 { unit[1] = 1 }
            unit[0] = [0x42, 0x44, 0x26, 0x02].randomElement(using: &random) ?? 0x26
            _ = try? hevc.headerByteCount(of: unit)
        }
    }

    @Test func damagedFramesOfAV1DoNotTrap() throws {
        var random = SeededGenerator(seed: 51)
        var finder = AV1TileFinder(try AV1Configuration(sequenceHeaderPayload: Self.smallSequence))
        for _ in 0..<20_000 {
            var unit = (0..<Int.random(in: 3...80, using: &random)).map { _ in
                UInt8.random(in: .min ... .max, using: &random)
            }
            if Bool.random(using: &random) {
                unit = [0x0A, UInt8(Self.smallSequence.count)] + Self.smallSequence + unit
                unit[Int.random(in: 2..<12, using: &random)] = UInt8.random(in: .min ... .max, using: &random)
                unit[12] = [0x30, 0x34, 0x18, 0x20].randomElement(using: &random) ?? 0x30
            } else {
                unit[0] = [0x30, 0x34, 0x18, 0x20, 0x08].randomElement(using: &random) ?? 0x30
            }
            // A key frame that is shown, so that later frames have references.
            if unit[0] == 0x30, Bool.random(using: &random) { unit[1] = 0x10 }
            _ = try? unit.withUnsafeBytes { raw throws(CodecError) in try finder.tiles(in: raw) }
        }
    }
}
