import Codecs
import MediaCore
import NIOCore
import TestSupport
import Testing

@testable import Transcoding

extension LiveTranscoderTests {
    /// The encoder holds back the last frame, whose duration it does not know yet.
    @Suite struct Pictures {
        @Test(arguments: VideoCase.all)
        func framesKeepTheirLooksAndTheirTimes(test: VideoCase) async throws {
            let source = try await LiveSource.frames(test, start: 123_456)
            let result = try LibAVLiveTranscoder.transcribe(source.units, source.codec, source.timescale)
            #expect(result.failures.isEmpty)
            let first = try #require(result.configurations.first)
            guard case .h264(let configuration) = first.configuration else {
                Issue.record("\(first.configuration) is not H.264")
                return
            }
            #expect(result.configurations.count == 1)
            #expect(first.unitIndex == 0)
            #expect(first.timescale == .video90kHz)
            #expect(configuration.sequenceParameterSet.width == test.expectedWidth)
            #expect(configuration.sequenceParameterSet.height == test.expectedHeight)
            #expect(configuration.sequenceParameterSet.profileIDC == 77)
            #expect(configuration.sequenceParameterSet.maximumReorderFrameCount == 0)

            #expect(result.times == source.units.dropLast().map(\.presentationTime))
            #expect(result.units.allSatisfy { $0.decodeTime == $0.presentationTime })
            // Key frames come every 2 s, whatever the source does.
            let keyTimes = result.units.filter(\.isRandomAccessPoint).map { $0.presentationTime - 123_456 }
            #expect(keyTimes == [0, 180_000, 360_000])
            try checkNALUnits(result)
            try await compareFrames(result, configuration, with: source, test)
        }

        /// Checks that there are only slices: the configuration has the parameter sets, and a player needs nothing
        /// else.
        private func checkNALUnits(_ result: Transcription) throws {
            for unit in result.units {
                guard case .nalUnits(let units) = unit.payload else {
                    Issue.record("\(unit) holds no NAL units")
                    return
                }
                let expected = unit.isRandomAccessPoint ? H264NALUnitType.idrSlice : .nonIDRSlice
                #expect(units.allSatisfy { $0.firstByte.flatMap(H264NALUnitType.init(headerByte:)) == expected })
                #expect(!units.isEmpty)
            }
        }

        private func compareFrames(
            _ result: Transcription, _ configuration: H264Configuration, with source: LiveSource, _ test: VideoCase
        ) async throws {
            let stream = try source.directory.write(Self.byteStream(result, configuration), to: "seen.h264")
            let size = "\(test.expectedWidth):\(test.expectedHeight):0:0"
            let seen = try await Self.luma(["-f", "h264", "-i", stream], crop: size)
            let meant = try await Self.luma(["-i", source.file], crop: size)
            #expect(seen.count == result.units.count * test.expectedWidth * test.expectedHeight)
            #expect(meant.count == source.units.count * test.expectedWidth * test.expectedHeight)
            // Some of the pixels, in all columns, because 31 divides no width.
            let positions = Array(stride(from: 0, to: min(seen.count, meant.count), by: 31))
            let difference = positions.reduce(0) { $0 + abs(Int(seen[$1]) - Int(meant[$1])) }
            #expect(Double(difference) / Double(max(1, positions.count)) < 8)
        }

        static func byteStream(_ result: Transcription, _ configuration: H264Configuration) -> [UInt8] {
            let startCode: [UInt8] = [0, 0, 0, 1]
            var stream: [UInt8] = []
            for set in configuration.sequenceParameterSets + configuration.pictureParameterSets {
                stream += startCode + set
            }
            for unit in result.units {
                guard case .nalUnits(let units) = unit.payload else { continue }
                for unit in units { stream += startCode + unit.bytes() }
            }
            return stream
        }

        private static func luma(_ input: [String], crop: String) async throws -> [UInt8] {
            try await ExternalTool.ffmpeg().run(
                ["-nostdin", "-v", "error"] + input
                    + [
                        "-vsync", "passthrough", "-vf", "format=yuv420p,crop=\(crop),extractplanes=y", "-f", "rawvideo",
                        "-",
                    ]
            ).output
        }

        // MARK: Changes

        @Test func anotherSizeIsAnotherConfiguration() async throws {
            let large = try await LiveSource.frames(.vp8, seconds: 1)
            var test = VideoCase.vp8
            test.size = "160x120"
            let small = try await LiveSource.frames(test, seconds: 1, start: large.end)
            let result = try LibAVLiveTranscoder.transcribe(large.units + small.units, .vp8, .video90kHz)
            #expect(result.configurations.map(\.configuration.videoSize?.width) == [320, 160])
            #expect(result.configurations.map(\.unitIndex) == [0, 25])
            #expect(result.units[25].isRandomAccessPoint)
            #expect(result.times == (large.units + small.units).dropLast().map(\.presentationTime))
        }

        @Test(arguments: [30, -5] as [Int64]) func aClockThatJumpsIsFollowed(seconds: Int64) async throws {
            var source = try await LiveSource.frames(.vp8, seconds: 2, start: 900_000)
            for index in 30..<50 { source.units[index].presentationTime += seconds * 90_000 }
            let result = try LibAVLiveTranscoder.transcribe(source.units, .vp8, .video90kHz)
            #expect(result.times == source.units.dropLast().map(\.presentationTime))
            #expect(result.configurations.count == 1)
            #expect(result.units.indices.filter { result.units[$0].isRandomAccessPoint } == [0, 30])
        }

        /// A frame with its predecessor's time, or an earlier one, cannot be presented.
        @Test func framesThatComeTooLateAreLeftOut() async throws {
            var source = try await LiveSource.frames(.vp8, seconds: 2)
            source.units[10].presentationTime = source.units[9].presentationTime
            source.units[20].presentationTime = source.units[19].presentationTime - 27
            let result = try LibAVLiveTranscoder.transcribe(source.units, .vp8, .video90kHz)
            let shown = source.units.indices.filter { $0 != 10 && $0 != 20 }
            #expect(result.times == shown.dropLast().map { source.units[$0].presentationTime })
        }

        /// A frame that depends on a damaged frame is damaged, too.
        @Test func nothingIsShownBetweenADamagedFrameAndTheNextKeyFrame() async throws {
            var source = try await LiveSource.frames(.vp8, seconds: 3)
            source.units[30].payload = .frame(ByteBuffer(bytes: [1, 2]))
            let result = try LibAVLiveTranscoder.transcribe(source.units, .vp8, .video90kHz)
            let shown = Array(0..<30) + Array(50..<75)
            #expect(result.times == shown.dropLast().map { source.units[$0].presentationTime })
        }

        @Test func startCodesDivideAByteStream() {
            let cases: [([UInt8], [Range<Int>])] = [
                ([], []), ([0, 0, 1], []), ([0, 0, 1, 9], [3..<4]),
                ([0, 0, 0, 1, 9, 0, 0, 0, 1, 8, 7], [4..<5, 9..<11]),
                ([5, 5, 0, 0, 1, 9, 0, 0, 0], [5..<6]), ([0, 0, 1, 0, 0, 1, 3], [6..<7]), ([0, 0, 2, 0, 0], []),
                ([0, 0, 1, 1, 0, 0, 3, 1, 0, 0, 1, 2], [3..<8, 11..<12]),
            ]
            for (bytes, ranges) in cases {
                #expect(bytes.withUnsafeBytes { AnnexB.nalUnits(in: $0) } == ranges, "\(bytes)")
            }
        }
    }
}
