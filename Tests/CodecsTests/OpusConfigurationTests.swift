import Codecs
import MediaCore
import TestSupport
import Testing

struct OpusConfigurationTests {
    /// A `dOps` record that ffmpeg 5.1 has written for libopus at 48 kHz in stereo.
    static let record = bytes(hexadecimal: "000201380000bb80000000")

    @Test func readsAndWritesWhatFFmpegWrites() throws {
        let configuration = try OpusConfiguration(parsingRecord: Self.record)
        #expect(configuration.channelCount == 2)
        #expect(configuration.preSkip == 312)
        #expect(configuration.inputSampleRate == 48_000)
        #expect(configuration.record == Self.record)
        #expect(configuration.rfc6381 == "opus")
    }

    /// 5.1 channels: mapping family 1, four streams of which two are coupled.
    @Test func keepsAChannelMapping() throws {
        let record = bytes(hexadecimal: "0006013800 00bb80 0000 01 04 02 000401020305")
        let configuration = try OpusConfiguration(parsingRecord: record)
        #expect(configuration.channelCount == 6)
        #expect(configuration.channelMapping?.table == [0, 4, 1, 2, 3, 5])
        #expect(configuration.record == record)
    }

    @Test func aRecordCutAnywhereThrows() {
        for length in 0..<Self.record.count {
            #expect(throws: CodecError.self) { try OpusConfiguration(parsingRecord: Array(Self.record.prefix(length))) }
        }
    }

    @Test(arguments: ["010201380000bb80000000", "000001380000bb80000000", "000301380000bb80000000"])
    func refuses(record: String) {
        #expect(throws: CodecError.self) { try OpusConfiguration(parsingRecord: bytes(hexadecimal: record)) }
    }

    @Test func refusesChannelsWithoutAMapping() {
        #expect(throws: CodecError.self) { try OpusConfiguration(channelCount: 6) }
    }

    @Test func answersForItsCodec() throws {
        let audio = CodecConfiguration.opus(try OpusConfiguration(channelCount: 1))
        #expect(audio.mediaType == .audio)
        #expect(audio.name == "Opus")
        #expect(audio.audioSampleRate == 48_000)
        #expect(audio.audioChannelCount == 1)
        #expect(audio.audioSamplesPerFrame == 960)
        #expect(audio.videoSize == nil)
    }
}
