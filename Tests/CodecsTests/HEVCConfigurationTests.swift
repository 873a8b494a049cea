import Codecs
import TestSupport
import Testing

/// Parameter sets that x265 3.5 (Debian 12) has made through ffmpeg, and ffprobe's output for the same files.
struct HEVCParameterSetFixture: Sendable, CustomTestStringConvertible {
    var name: String
    var videoParameterSet: [UInt8]
    var sequenceParameterSet: [UInt8]
    var pictureParameterSet: [UInt8]
    var width: Int
    var height: Int
    var frameRate: Double
    var sampleAspectRatio = SampleAspectRatio.square
    var bitDepth: UInt8 = 8
    var reorderFrameCount: Int
    var rfc6381: String

    var testDescription: String { name }

    static let all = [
        // -preset ultrafast, testsrc2=s=1920x1080:r=50
        HEVCParameterSetFixture(
            name: "main, cropped to 1080 lines",
            videoParameterSet: bytes(hexadecimal: "40010c01ffff01600000030090000003000003007b959409"),
            sequenceParameterSet: bytes(
                hexadecimal: "42010101600000030090000003000003007ba003c0801107cb965654a4c2f0168080000003008000001904"),
            pictureParameterSet: bytes(hexadecimal: "4401c073c189"),
            width: 1920, height: 1080, frameRate: 50, reorderFrameCount: 2, rfc6381: "hvc1.1.6.L123.90"),
        // -preset ultrafast -pix_fmt yuv420p10le -x265-params bframes=4:sar=4, testsrc2=s=640x360:r=24
        HEVCParameterSetFixture(
            name: "main 10, pixel shape from the table",
            videoParameterSet: bytes(hexadecimal: "40010c01ffff02200000030090000003000003003f959809"),
            sequenceParameterSet: bytes(
                hexadecimal: "42010102200000030090000003000003003fa005020171f2b6595992930bc11a020000030002000003003010"),
            pictureParameterSet: bytes(hexadecimal: "4401c073c189"),
            width: 640, height: 360, frameRate: 24, sampleAspectRatio: SampleAspectRatio(width: 16, height: 11),
            bitDepth: 10, reorderFrameCount: 2, rfc6381: "hvc1.2.4.L63.90"),
        // -preset ultrafast -x265-params bframes=0:scaling-list=default, testsrc2=s=640x362:r=24
        HEVCParameterSetFixture(
            name: "main, scaling lists, no reordering, odd crop",
            videoParameterSet: bytes(hexadecimal: "40010c01ffff01600000030090000003000003003fba0240"),
            sequenceParameterSet: bytes(
                hexadecimal: "42010101600000030090000003000003003fa005020171f265ba4a4e1780b4040000030004000003006020"),
            pictureParameterSet: bytes(hexadecimal: "4401c073c189"),
            width: 640, height: 362, frameRate: 24, reorderFrameCount: 0, rfc6381: "hvc1.1.6.L63.90"),
    ]
}

struct HEVCConfigurationTests {
    private func configuration(_ fixture: HEVCParameterSetFixture) throws -> HEVCConfiguration {
        try HEVCConfiguration(
            videoParameterSets: [fixture.videoParameterSet], sequenceParameterSets: [fixture.sequenceParameterSet],
            pictureParameterSets: [fixture.pictureParameterSet])
    }

    @Test(arguments: HEVCParameterSetFixture.all)
    func readsWhatFFprobeReads(_ fixture: HEVCParameterSetFixture) throws {
        let configuration = try configuration(fixture)
        let sps = configuration.sequenceParameterSet
        #expect(sps.width == fixture.width)
        #expect(sps.height == fixture.height)
        #expect(sps.frameRate == fixture.frameRate)
        #expect(sps.sampleAspectRatio == fixture.sampleAspectRatio)
        #expect(sps.bitDepthLuma == fixture.bitDepth)
        #expect(sps.bitDepthChroma == fixture.bitDepth)
        #expect(sps.maximumReorderFrameCount == fixture.reorderFrameCount)
        #expect(configuration.rfc6381 == fixture.rfc6381)
    }

    @Test(arguments: HEVCParameterSetFixture.all)
    func theRecordRoundTrips(_ fixture: HEVCParameterSetFixture) throws {
        let configuration = try configuration(fixture)
        #expect(try HEVCConfiguration(parsingRecord: configuration.record) == configuration)
    }

    /// The fixed part of the `hvcC` that ffmpeg's muxer has written for the same stream.
    @Test(arguments: [
        (0, "0101600000009000000000007bf000fcfdf8f800000f03"), (1, "0102200000009000000000003ff000fcfdfafa00000f03"),
        (2, "0101600000009000000000003ff000fcfdf8f800000f03"),
    ])
    func theRecordStartsAsFFmpegWritesIt(_ fixture: Int, _ start: String) throws {
        let record = try configuration(HEVCParameterSetFixture.all[fixture]).record
        #expect(Array(record.prefix(23)) == bytes(hexadecimal: start))
    }

    @Test(arguments: HEVCParameterSetFixture.all)
    func aRecordCutAnywhereThrows(_ fixture: HEVCParameterSetFixture) throws {
        let record = try configuration(fixture).record
        for length in 0..<record.count {
            #expect(throws: CodecError.self, "\(length) bytes") {
                try HEVCConfiguration(parsingRecord: Array(record.prefix(length)))
            }
        }
    }

    @Test(arguments: HEVCParameterSetFixture.all)
    func flippedBitsNeverTrap(_ fixture: HEVCParameterSetFixture) throws {
        let record = try configuration(fixture).record
        for bit in 0..<(record.count * 8) {
            var damaged = record
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            guard let configuration = try? HEVCConfiguration(parsingRecord: damaged) else { continue }
            #expect(configuration.sequenceParameterSet.width > 0)
            _ = (configuration.record, configuration.rfc6381)
        }
        var generator = SeededGenerator(seed: 265)
        for _ in 0..<500 {
            var damaged = fixture.sequenceParameterSet
            for _ in 0..<Int.random(in: 1...12, using: &generator) {
                damaged[Int.random(in: 2..<damaged.count, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            _ = try? HEVCSequenceParameterSet(parsing: damaged)
        }
    }

    @Test func refusesARecordWithMoreNALUnitsThanAnyEncoderWrites() throws {
        let fixture = HEVCParameterSetFixture.all[0]
        #expect(throws: CodecError.self) {
            try HEVCConfiguration(
                videoParameterSets: [fixture.videoParameterSet],
                sequenceParameterSets: [fixture.sequenceParameterSet],
                pictureParameterSets: Array(repeating: fixture.pictureParameterSet, count: 63))
        }
    }
}
