import Codecs
import MediaCore
import TestSupport
import Testing

/// Records (`av1C`) that ffmpeg 5.1's MP4 muxer has written, and ffprobe's output for the same files.
struct AV1Fixture: Sendable, CustomTestStringConvertible {
    var name: String
    var record: [UInt8]
    var width: Int
    var height: Int
    var frameRate: Double?
    var bitDepth: UInt8
    var isSubsampled: Bool
    var rfc6381: String
    var testDescription: String { name }

    static let all = [
        AV1Fixture(
            name: "SVT-AV1, 1080 lines, 10 bits", record: bytes(hexadecimal: "81094c000a0b0000004aabbfc3700be101"),
            width: 1_920, height: 1_080, frameRate: nil, bitDepth: 10, isSubsampled: true, rfc6381: "av01.0.09M.10"),
        AV1Fixture(
            name: "libaom, 4:4:4", record: bytes(hexadecimal: "812000000a0a200000043cfeccdaf902"),
            width: 320, height: 180, frameRate: nil, bitDepth: 8, isSubsampled: false, rfc6381: "av01.1.00M.08"),
        // The sequence header of libaom's OBU stream.
        AV1Fixture(
            name: "libaom, 4:2:0", record: bytes(hexadecimal: "81000c000a0a00000002aff79fff3008"),
            width: 64, height: 48, frameRate: nil, bitDepth: 8, isSubsampled: true, rfc6381: "av01.0.00M.08"),
    ]
}

struct AV1ConfigurationTests {
    @Test(arguments: AV1Fixture.all)
    func readsWhatFFprobeReads(_ fixture: AV1Fixture) throws {
        let configuration = try AV1Configuration(parsingRecord: fixture.record)
        let header = configuration.sequenceHeader
        #expect(header.width == fixture.width)
        #expect(header.height == fixture.height)
        #expect(header.frameRate == fixture.frameRate)
        #expect(header.color.bitDepth == fixture.bitDepth)
        #expect(header.color.isSubsampledHorizontally == fixture.isSubsampled)
        #expect(header.color.isSubsampledVertically == fixture.isSubsampled)
        #expect(configuration.rfc6381 == fixture.rfc6381)
        #expect(configuration.record == fixture.record)
    }

    @Test(arguments: AV1Fixture.all)
    func isTheSameFromTheSequenceHeaderAlone(_ fixture: AV1Fixture) throws {
        let payload = Array(fixture.record.dropFirst(6))
        #expect(try AV1Configuration(sequenceHeaderPayload: payload).record == fixture.record)
    }

    @Test(arguments: AV1Fixture.all)
    func aRecordCutAnywhereThrows(_ fixture: AV1Fixture) {
        for length in 0..<fixture.record.count {
            #expect(throws: CodecError.self, "\(length) bytes") {
                try AV1Configuration(parsingRecord: Array(fixture.record.prefix(length)))
            }
        }
    }

    @Test(arguments: AV1Fixture.all)
    func flippedBitsNeverTrap(_ fixture: AV1Fixture) {
        for bit in 0..<(fixture.record.count * 8) {
            var damaged = fixture.record
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            guard let configuration = try? AV1Configuration(parsingRecord: damaged) else { continue }
            #expect((1...AV1SequenceHeader.maximumPictureDimension).contains(configuration.sequenceHeader.width))
            _ = (configuration.record, configuration.rfc6381)
        }
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<2_000 {
            let payload = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            _ = try? AV1SequenceHeader(parsingPayload: payload)
        }
    }

    @Test func answersForItsCodec() throws {
        let video = CodecConfiguration.av1(try AV1Configuration(parsingRecord: AV1Fixture.all[0].record))
        #expect(video.mediaType == .video)
        #expect(video.name == "AV1")
        #expect(video.videoSize?.height == 1_080)
        #expect(video.maximumReorderFrameCount == 0)
        #expect(video.audioSampleRate == nil)
    }
}
