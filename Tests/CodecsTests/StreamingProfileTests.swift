import Codecs
import TestSupport
import Testing

/// Tests of the profiles that HLS players decode, with records that x264, x265 and ffmpeg have written.
struct StreamingProfileTests {
    @Test(arguments: [
        ("High 10", "016e000bffe1001a676e000ba6cd9428df93011000000300100000030320f142996001000468ce0fc8fdfafa00"),
        ("High 4:2:2", "017a000bffe10019677a000bbcd9428df9f011000003000100000300320f14299601000468ce0fc8fef8f800"),
        ("High 4:4:4", "01f4000bffe1001967f4000b919b2851bf3e0220000003002000000641e28532c001000568ce0f1920fff8f800"),
        ("lossless", "01f4000bffe1001867f4000baeb4146fc980880000030008000003019078a15501000568ce01af20fdf8f800"),
    ])
    func h264BeyondHigh(_ name: String, _ record: String) throws {
        let configuration = CodecConfiguration.h264(try H264Configuration(parsingRecord: bytes(hexadecimal: record)))
        #expect(configuration.obstacleToStreaming?.contains("beyond High") == true)
    }

    @Test(
        arguments: H264ParameterSetFixture.all.filter {
            ["4d", "42", "64"].contains($0.rfc6381.dropFirst(5).prefix(2))
        })
    func h264UpToHigh(_ fixture: H264ParameterSetFixture) throws {
        let configuration = CodecConfiguration.h264(try H264Configuration(parsingRecord: fixture.record))
        #expect(configuration.obstacleToStreaming == nil)
        #expect(configuration.videoRange == .standard)
    }

    private func hevc(_ sequenceParameterSet: String) throws -> CodecConfiguration {
        .hevc(
            try HEVCConfiguration(
                videoParameterSets: [HEVCParameterSetFixture.all[0].videoParameterSet],
                sequenceParameterSets: [bytes(hexadecimal: sequenceParameterSet)],
                pictureParameterSets: [HEVCParameterSetFixture.all[0].pictureParameterSet]))
    }

    @Test func hevcUpToMain10() throws {
        for fixture in HEVCParameterSetFixture.all {
            let configuration = CodecConfiguration.hevc(
                try HEVCConfiguration(
                    videoParameterSets: [fixture.videoParameterSet],
                    sequenceParameterSets: [fixture.sequenceParameterSet],
                    pictureParameterSets: [fixture.pictureParameterSet]))
            #expect(configuration.obstacleToStreaming == nil)
            #expect(configuration.videoRange == .standard)
        }
        let beyond = try hevc(
            "4201010408000003009d0800000300001eb0142061f3b6595952930bc05a020000030002000003003210")
        #expect(beyond.obstacleToStreaming?.contains("beyond Main 10") == true)
    }

    /// x265's hdr10=1 with transfer=smpte2084.
    @Test func theTransferTellsTheRange() throws {
        let perceptual = try hevc(
            "42010102200000030090000003000003001ea0142061f236595952930bc05a848804820000030002000003003210")
        #expect(perceptual.videoRange == .perceptualQuantizer)
        #expect(perceptual.obstacleToStreaming == nil)
        #expect(VideoRange(transferCharacteristics: 18) == .hybridLogGamma)
        #expect(VideoRange(transferCharacteristics: 1) == .standard)
        #expect(VideoRange(transferCharacteristics: 2) == .standard)
    }

    /// LC, HE and HE version 2; then Main, SSR, LTP and ELD.
    @Test(arguments: [
        ("1190", true), ("2b920800", true), ("eb8a0800", true), ("0990", false), ("1990", false), ("2190", false),
        ("f8e62000", false),
    ])
    func aac(_ text: String, _ isPlayed: Bool) throws {
        let configuration = try AACConfiguration(parsingAudioSpecificConfig: bytes(hexadecimal: text))
        #expect((CodecConfiguration.aac(configuration).obstacleToStreaming == nil) == isPlayed)
    }
}
