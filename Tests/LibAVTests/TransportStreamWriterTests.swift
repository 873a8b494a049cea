import Codecs
import Foundation
import NIOCore
import TestSupport
import Testing

@testable import LibAV

struct TransportStreamWriterTests {
    /// A parameter set of libx264 (core 164): `-f lavfi -i testsrc2=s=640x360:r=25 -profile:v high -bf 2 -g 25`
    private static let sequenceParameterSet = bytes("6764001eacd940a02ff97011000003000100000300320f162d96")
    private static let pictureParameterSet = bytes("68ebe3cb22c0")

    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = hexadecimal.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    private static func h264() throws -> CodecConfiguration {
        .h264(
            try H264Configuration(
                sequenceParameterSets: [sequenceParameterSet], pictureParameterSets: [pictureParameterSet]))
    }

    private static func sample(_ nalUnits: [[UInt8]]) -> ByteBuffer {
        var buffer = ByteBuffer()
        for unit in nalUnits {
            buffer.writeInteger(UInt32(unit.count))
            buffer.writeBytes(unit)
        }
        return buffer
    }

    /// The concatenated payloads of all packets of a stream.
    private static func payload(_ pid: Int, of stream: ByteBuffer) -> [UInt8] {
        let bytes = Array(stream.readableBytesView)
        return stride(from: 0, to: bytes.count, by: 188).flatMap { start -> [UInt8] in
            let packet = bytes[start..<(start + 188)]
            guard Int(packet[start + 1] & 0x1F) << 8 | Int(packet[start + 2]) == pid else { return [] }
            let field = packet[start + 3] & 0x20 == 0 ? 0 : 1 + Int(packet[start + 4])
            return Array(packet.dropFirst(4 + field))
        }
    }

    /// The NAL unit types in the first PES packet.
    private static func types(_ stream: ByteBuffer) -> [UInt8] {
        let payload = payload(0x100, of: stream)
        return payload.withUnsafeBytes { bytes in
            // The payload follows the PES header, whose length is its ninth byte.
            let start = 9 + Int(bytes[8])
            let stream = UnsafeRawBufferPointer(rebasing: bytes[start...])
            return AnnexB.nalUnits(in: stream).map { stream[$0.lowerBound] & 0x1F }
        }
    }

    @Test(
        arguments: [
            // An IDR frame; a recovery point; the same after a delimiter; not a random access point.
            ([[0x65, 1, 2, 3]], true, [9, 7, 8, 5]), ([[0x06, 6, 1, 0x80], [0x41, 1, 2, 3]], true, [9, 7, 8, 6, 1]),
            ([[0x09, 0xF0], [0x06, 6, 1, 0x80], [0x41, 1, 2, 3]], true, [9, 7, 8, 6, 1]),
            ([[0x41, 1, 2, 3]], false, [9, 1]),
        ] as [([[UInt8]], Bool, [UInt8])])
    func frameThatDecodingStartsAtHasItsParameterSets(
        nalUnits: [[UInt8]], isRandomAccessPoint: Bool, expected: [UInt8]
    ) throws {
        let writer = try TransportStreamWriter([try Self.h264()])
        try writer.write(
            Self.sample(nalUnits), stream: 0, decodeTime: 900_000, presentationTime: 903_600,
            isRandomAccessPoint: isRandomAccessPoint)
        #expect(Self.types(try writer.finish()) == expected)
    }

    @Test func parameterSetsThatAreThereAreNotRepeated() throws {
        let writer = try TransportStreamWriter([try Self.h264()])
        let nalUnits = [Self.sequenceParameterSet, Self.pictureParameterSet, [0x41, 1, 2, 3]]
        try writer.write(
            Self.sample(nalUnits), stream: 0, decodeTime: 900_000, presentationTime: 900_000, isRandomAccessPoint: true)
        #expect(Self.types(try writer.finish()) == [9, 7, 8, 1])
    }

    /// A 33-bit clock wraps after 26 hours (ISO/IEC 13818-1 §2.4.3.7).
    @Test func timesWrap() async throws {
        let writer = try TransportStreamWriter([try Self.h264()])
        let wrap: Int64 = 1 << 33
        for index in 0..<50 {
            let time = wrap - 25 * 3_600 + Int64(index) * 3_600
            try writer.write(
                Self.sample([[index == 0 ? 0x65 : 0x41] + Array(repeating: UInt8(0x80 + index), count: 400)]),
                stream: 0,
                decodeTime: time, presentationTime: time + 7_200, isRandomAccessPoint: index == 0)
        }
        let payload = Self.payload(0x100, of: try writer.finish())
        let starts = payload.indices.filter { payload[$0...].starts(with: [0, 0, 1, 0xE0]) }
        let times = starts.map { Self.timestamp(payload[($0 + 9)...]) }
        #expect(times.count == 50)
        for (index, time) in times.enumerated() {
            #expect(time == (wrap - 25 * 3_600 + Int64(index) * 3_600 + 7_200) % wrap)
        }
    }

    /// Reads a timestamp of five bytes with markers (§2.4.3.6).
    private static func timestamp(_ bytes: ArraySlice<UInt8>) -> Int64 {
        let bytes = bytes.prefix(5).map { Int64($0) }
        return (bytes[0] >> 1 & 7) << 30 | bytes[1] << 22 | (bytes[2] >> 1) << 15 | bytes[3] << 7 | bytes[4] >> 1
    }

    /// Receivers keep a program map until its version changes.
    @Test func otherStreamsAreAnotherVersionOfTheProgramMap() throws {
        let aac = CodecConfiguration.aac(try AACConfiguration(sampleRate: 48_000, channelCount: 2))
        let versions = try [[try Self.h264()], [try Self.h264(), aac], [aac], [try Self.h264()]].map { streams in
            let writer = try TransportStreamWriter(streams)
            try writer.write(
                streams.count == 1 && streams[0] == aac
                    ? ByteBuffer(repeating: 0x21, count: 20) : Self.sample([[0x65, 1]]),
                stream: 0, decodeTime: 900_000, presentationTime: 900_000, isRandomAccessPoint: true)
            // The fields after pointer_field: table_id, length, program number, version.
            return Self.payload(0x1000, of: try writer.finish())[6] >> 1 & 0x1F
        }
        #expect(Set(versions).count == 3 && versions.first == versions.last)
    }

    /// Video is missing for the time of a segment: the program clock in its stream continues (ISO/IEC 13818-1 §2.7.2:
    /// every 100 ms).
    @Test func theClockGoesOnWithoutVideo() throws {
        let aac = CodecConfiguration.aac(try AACConfiguration(sampleRate: 48_000, channelCount: 2))
        let writer = try TransportStreamWriter([try Self.h264(), aac])
        for index in 0..<94 {
            let time = 900_000 + Int64(index) * 1_920
            try writer.write(
                ByteBuffer(repeating: 0x21, count: 200), stream: 1, decodeTime: time, presentationTime: time,
                isRandomAccessPoint: true)
        }
        let bytes = Array(try writer.finish().readableBytesView)
        let clocks = stride(from: 0, to: bytes.count, by: 188).filter { start in
            bytes[start + 3] & 0x20 != 0 && bytes[start + 4] > 0 && bytes[start + 5] & 0x10 != 0
        }
        #expect(clocks.count >= 16)
        let times = clocks.map { start in
            bytes[(start + 6)..<(start + 11)].reduce(Int64(0)) { $0 << 8 | Int64($1) } >> 7
        }
        #expect(zip(times, times.dropFirst()).allSatisfy { (1...10_000).contains($1 - $0) })
        #expect(times.allSatisfy { (855_000..<1_045_000).contains($0) }, "half a second behind the audio's")
        #expect(Array(bytes[1...2]) == [0x40, 0x11] || Array(bytes[1...2]) == [0x40, 0], "the tables are in front")
        #expect(clocks.allSatisfy { Int(bytes[$0 + 1] & 0x1F) << 8 | Int(bytes[$0 + 2]) == 0x100 })
    }

    @Test func whatCannotBeWrittenIsAnError() throws {
        #expect(throws: LibAVError.self) { try TransportStreamWriter([.opus(try OpusConfiguration(channelCount: 2))]) }
        let writer = try TransportStreamWriter([try Self.h264()])
        #expect(throws: LibAVError.self) {
            // The length prefix is larger than the data.
            try writer.write(
                ByteBuffer(bytes: [0xFF, 0xFF, 0xFF, 0xFF, 0x65]), stream: 0, decodeTime: 1, presentationTime: 1,
                isRandomAccessPoint: true)
        }
        // A writer that was abandoned midway leaks nothing.
        _ = try TransportStreamWriter([try Self.h264()])
    }
}
