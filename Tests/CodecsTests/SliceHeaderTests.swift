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
}
