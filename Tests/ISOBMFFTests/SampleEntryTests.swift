import Codecs
import ISOBMFF
import MediaCore
import NIOCore
import TestSupport
import Testing

/// Each codec's sample entry, written and read back.
struct SampleEntryTests {
    static func cases() throws -> [CodecConfiguration] {
        [
            .aac(try AACConfiguration(sampleRate: 44_100, channelCount: 2)),
            .opus(try OpusConfiguration(channelCount: 2, preSkip: 312)),
            .opus(
                try OpusConfiguration(parsingRecord: bytes(hexadecimal: "0006013800 00bb80 0000 01 04 02 000401020305"))
            ),
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
