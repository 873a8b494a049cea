import Codecs
import ISOBMFF
import MediaCore
import NIOCore
import TestSupport
import Testing

/// The sample entry of each codec, written and parsed again.
struct SampleEntryTests {
    static func cases() throws -> [CodecConfiguration] {
        [
            .aac(try AACConfiguration(sampleRate: 44_100, channelCount: 2)),
            .opus(try OpusConfiguration(channelCount: 2, preSkip: 312)),
            .opus(
                try OpusConfiguration(parsingRecord: bytes(hexadecimal: "0006013800 00bb80 0000 01 04 02 000401020305"))
            ),
            .dolby(try DolbyAudioConfiguration(parsingRecord: bytes(hexadecimal: "1008c0"), coding: .ac3)),
            .dolby(try DolbyAudioConfiguration(parsingRecord: bytes(hexadecimal: "0300200200"), coding: .enhancedAC3)),
            .mp3(try MPEGAudioConfiguration(sampleRate: 44_100, channelCount: 2)),
            .mp3(try MPEGAudioConfiguration(sampleRate: 22_050, channelCount: 1)),
            .flac(
                try FLACConfiguration(
                    parsingRecord: bytes(
                        hexadecimal: "00000000 80000022 12001200 00041a 0004ff 0bb800f0 00017700"
                            + "957e0a09f97871af8c611d306aad8ab5"))),
            .alac(
                try ALACConfiguration(
                    parsingRecord: bytes(
                        hexadecimal: "00000000 00001000 00 10 28 0a 0e 01 0000 00002004 000bb800 0000bb80"))),
            .av1(try AV1Configuration(parsingRecord: bytes(hexadecimal: "81094c000a0b0000004aabbfc3700be101"))),
        ]
    }

    @Test func roundTrips() throws {
        for configuration in try Self.cases() {
            let track = Track(id: 1, mediaType: configuration.mediaType, timescale: Timescale(48_000))
            let section = MediaInitializationSection(track: track, configuration: configuration).rendered()
            let index = try MovieIndex.read(from: InMemoryMovie(Array(section.readableBytesView)))
            #expect(index.tracks.map(\.configuration) == [configuration])
        }
    }
}
