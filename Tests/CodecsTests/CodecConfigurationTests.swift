import Codecs
import MediaCore
import Testing

struct CodecConfigurationTests {
    @Test func answersForItsCodec() throws {
        let video = CodecConfiguration.h264(
            try H264Configuration(parsingRecord: H264ParameterSetFixture.all[2].record))
        #expect(video.mediaType == .video)
        #expect(video.videoSize?.width == 720)
        #expect(video.nominalFrameRate == 25)
        #expect(video.sampleAspectRatio == SampleAspectRatio(width: 64, height: 45))
        #expect(video.audioSampleRate == nil && video.audioChannelCount == nil && video.audioSamplesPerFrame == nil)
        let audio = CodecConfiguration.aac(try AACConfiguration(sampleRate: 44_100, channelCount: 1))
        #expect(audio.mediaType == .audio)
        #expect(audio.videoSize == nil && audio.nominalFrameRate == nil)
        #expect(audio.audioSampleRate == 44_100)
        #expect(audio.audioChannelCount == 1)
        #expect(audio.audioSamplesPerFrame == 1_024)
        #expect(audio.sampleAspectRatio == .square)
        #expect([video.name, audio.name] == ["H.264", "AAC"])
    }

    @Test(
        arguments: [
            (0, nil), (1, (1, 1)), (2, (12, 11)), (14, (4, 3)), (16, (2, 1)), (17, nil), (255, nil),
        ] as [(UInt32, (UInt32, UInt32)?)])
    func knowsTheTableOfPixelShapes(_ idc: UInt32, _ expected: (UInt32, UInt32)?) {
        #expect(SampleAspectRatio(aspectRatioIDC: idc) == expected.map { SampleAspectRatio(width: $0.0, height: $0.1) })
    }
}
