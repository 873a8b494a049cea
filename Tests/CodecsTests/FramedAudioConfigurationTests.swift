import Codecs
import MediaCore
import TestSupport
import Testing

/// AC-3, E-AC-3, FLAC, ALAC and MP3, with records that ffmpeg 5.1 has written.
struct FramedAudioConfigurationTests {
    static let ac3 = bytes(hexadecimal: "1008c0")
    static let enhancedAC3 = bytes(hexadecimal: "0300200200")
    /// A record of 7.1 channels: an independent substream of 5.1, and a dependent one with the rear pair (chan_loc bit
    /// 1).
    static let dependent = bytes(hexadecimal: "1400200f0280")
    static let flac = bytes(
        hexadecimal: "00000000 80000022 12001200 00041a 0004ff 0bb800f0 00017700 957e0a09f97871af8c611d306aad8ab5")
    static let alac = bytes(hexadecimal: "00000000 00001000 00 10 28 0a 0e 01 0000 00002004 000bb800 0000bb80")

    static func cases() throws -> [(CodecConfiguration, name: String, rfc6381: String, channels: Int, frame: Int)] {
        [
            (.dolby(try DolbyAudioConfiguration(parsingRecord: ac3, coding: .ac3)), "AC-3", "ac-3", 1, 1_536),
            (
                .dolby(try DolbyAudioConfiguration(parsingRecord: enhancedAC3, coding: .enhancedAC3)), "E-AC-3", "ec-3",
                1, 1_536
            ),
            (.flac(try FLACConfiguration(parsingRecord: flac)), "FLAC", "fLaC", 1, 4_608),
            (.alac(try ALACConfiguration(parsingRecord: alac)), "ALAC", "alac", 1, 4_096),
            (.mp3(try MPEGAudioConfiguration(sampleRate: 48_000, channelCount: 1)), "MP3", "mp4a.6B", 1, 1_152),
        ]
    }

    @Test func answersForItsCodec() throws {
        for (configuration, name, rfc6381, channels, frame) in try Self.cases() {
            #expect(configuration.mediaType == .audio)
            #expect(configuration.name == name)
            #expect(configuration.rfc6381 == rfc6381)
            #expect(configuration.audioChannelCount == channels, "\(name)")
            #expect(configuration.audioSampleRate == 48_000, "\(name)")
            #expect(configuration.audioSamplesPerFrame == frame, "\(name)")
            #expect(configuration.videoSize == nil && configuration.maximumReorderFrameCount == 0)
        }
    }

    @Test func countsTheChannelsOfDependentSubstreams() throws {
        let surround = try DolbyAudioConfiguration(parsingRecord: Self.dependent, coding: .enhancedAC3)
        #expect(surround.channelCount == 8)
    }

    @Test func mp3OfLowRatesIsMPEG2() throws {
        let mp3 = try MPEGAudioConfiguration(sampleRate: 22_050, channelCount: 2)
        #expect(mp3.objectTypeIndication == 0x69 && mp3.samplesPerFrame == 576 && mp3.rfc6381 == "mp4a.69")
        #expect(throws: CodecError.self) { try MPEGAudioConfiguration(sampleRate: 96_000, channelCount: 2) }
        #expect(throws: CodecError.self) { try MPEGAudioConfiguration(sampleRate: 48_000, channelCount: 0) }
    }

    @Test func aRecordCutAnywhereThrows() {
        for length in 0..<Self.ac3.count - 1 {
            let record = Array(Self.ac3.prefix(length))
            #expect(throws: CodecError.self) { try DolbyAudioConfiguration(parsingRecord: record, coding: .ac3) }
        }
        for length in 0..<Self.enhancedAC3.count {
            let record = Array(Self.enhancedAC3.prefix(length))
            #expect(throws: CodecError.self) {
                try DolbyAudioConfiguration(parsingRecord: record, coding: .enhancedAC3)
            }
        }
        for length in 0..<Self.flac.count {
            #expect(throws: CodecError.self) { try FLACConfiguration(parsingRecord: Array(Self.flac.prefix(length))) }
        }
        for length in 0..<Self.alac.count {
            #expect(throws: CodecError.self) { try ALACConfiguration(parsingRecord: Array(Self.alac.prefix(length))) }
        }
    }

    @Test func leavesOtherMetadataOfFLACBehind() throws {
        var record = Self.flac
        record[4] = 0
        record += bytes(hexadecimal: "84000004 01020304")
        #expect(try FLACConfiguration(parsingRecord: record).record == Self.flac)
    }

    @Test(arguments: [
        "01000000800000221200120000001000008d10bb800f000017700",  // version 1
        "000000008400002212001200",  // no STREAMINFO
        "00000000800000211200120000",  // of another length
    ])
    func refusesFLAC(record: String) {
        #expect(throws: CodecError.self) {
            try FLACConfiguration(parsingRecord: bytes(hexadecimal: record.count % 2 == 0 ? record : record + "0"))
        }
    }

    @Test func refusesReservedRatesAndSizes() {
        #expect(throws: CodecError.self) {
            try DolbyAudioConfiguration(parsingRecord: bytes(hexadecimal: "d00800"), coding: .ac3)
        }
        var alac = Self.alac
        alac[13] = 0
        #expect(throws: CodecError.self) { try ALACConfiguration(parsingRecord: alac) }
    }
}
