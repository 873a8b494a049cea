import Codecs
import TestSupport
import Testing

struct AACConfigurationTests {
    struct Fixture: Sendable {
        var bytes: [UInt8]
        var objectType: UInt8
        var sampleRate: Int
        var channelCount: Int
        var samplesPerFrame = 1_024

        init(
            _ text: String, _ objectType: UInt8, _ sampleRate: Int, _ channelCount: Int, _ samplesPerFrame: Int = 1_024
        ) {
            bytes = TestSupport.bytes(hexadecimal: text)
            self.objectType = objectType
            self.sampleRate = sampleRate
            self.channelCount = channelCount
            self.samplesPerFrame = samplesPerFrame
        }
    }

    static let fixtures = [
        Fixture("1190", 2, 48_000, 2),  // ffmpeg's encoder, without its SBR signalling
        Fixture("121056e500", 2, 44_100, 2),  // ffmpeg's encoder: LC, and "no SBR" in the backward compatible way
        Fixture("1188", 2, 48_000, 1),  // Android's encoder, mono
        Fixture("2b920800", 5, 22_050, 2),  // HE-AAC, SBR explicit: 22.05 kHz core, 44.1 kHz out
        Fixture("eb8a0800", 29, 22_050, 1),  // HE-AAC v2: mono core, stereo out
        Fixture("131056e598", 5, 24_000, 2),  // HE-AAC in the backward compatible way: 24 kHz core, 48 kHz out
        Fixture("138856e5a54880", 29, 22_050, 1),  // HE-AAC v2, likewise
        Fixture("1194", 2, 48_000, 2, 960),  // frameLengthFlag, as in digital radio
        Fixture("11b0", 2, 48_000, 6),  // 5.1
        Fixture("11b8", 2, 48_000, 8),  // 7.1
        Fixture("178012d690", 2, 9_645, 2),  // a rate spelled out in 24 bits
        Fixture("f8e62000", 39, 48_000, 1, 512),  // AAC-ELD
    ]

    @Test(arguments: fixtures)
    func readsTheConfiguration(_ fixture: Fixture) throws {
        let configuration = try AACConfiguration(parsingAudioSpecificConfig: fixture.bytes)
        #expect(configuration.objectType == fixture.objectType)
        #expect(configuration.sampleRate == fixture.sampleRate)
        #expect(configuration.channelCount == fixture.channelCount)
        #expect(configuration.samplesPerFrame == fixture.samplesPerFrame)
        #expect(configuration.audioSpecificConfig == fixture.bytes)
        #expect(configuration.rfc6381 == "mp4a.40.\(fixture.objectType)")
    }

    @Test(arguments: fixtures)
    func prefixesAndFlippedBitsNeverTrap(_ fixture: Fixture) {
        for length in 0..<fixture.bytes.count {
            _ = try? AACConfiguration(parsingAudioSpecificConfig: Array(fixture.bytes.prefix(length)))
        }
        #expect(throws: CodecError.self) {
            try AACConfiguration(parsingAudioSpecificConfig: Array(fixture.bytes.prefix(1)))
        }
        for bit in 0..<(fixture.bytes.count * 8) {
            var damaged = fixture.bytes
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            guard let configuration = try? AACConfiguration(parsingAudioSpecificConfig: damaged) else { continue }
            #expect(configuration.sampleRate > 0)
            #expect(configuration.samplesPerFrame > 0)
        }
    }

    @Test func everyTwoBytesAreReadOrRefused() {
        for word in UInt16.min...UInt16.max {
            let bytes = [UInt8(word >> 8), UInt8(truncatingIfNeeded: word)]
            guard let configuration = try? AACConfiguration(parsingAudioSpecificConfig: bytes) else { continue }
            #expect(configuration.channelCount <= 8)
        }
    }

    @Test(arguments: [
        ("", CodecError.Code.truncated), ("1690", .invalid), ("0190", .unsupported),
        ("11c0", .invalid),  // channel configuration 8
        ("f9e640", .unsupported),  // object type 32 + 15
        (String(repeating: "11", count: 65), .invalid),
    ])
    func saysWhatIsWrong(_ text: String, _ code: CodecError.Code) {
        let error = #expect(throws: CodecError.self) {
            try AACConfiguration(parsingAudioSpecificConfig: bytes(hexadecimal: text))
        }
        #expect(error?.code == code)
        #expect(error?.description.hasPrefix("AudioSpecificConfig: ") == true)
    }

    @Test func makesAConfigurationFromRateAndChannels() throws {
        #expect(try AACConfiguration(sampleRate: 48_000, channelCount: 2).audioSpecificConfig == [0x11, 0x90])
        #expect(try AACConfiguration(sampleRate: 44_100, channelCount: 1).channelCount == 1)
        for count in 1...6 {
            #expect(try AACConfiguration(sampleRate: 48_000, channelCount: count).channelCount == count)
        }
        // Table 1.19: eight channels are configuration 7; there is none for seven.
        #expect(try AACConfiguration(sampleRate: 48_000, channelCount: 8).channelCount == 8)
        for (rate, count) in [(48_000, 7), (48_000, 0), (48_000, 9), (47_999, 2), (0, 2), (-1, -1)] {
            #expect(throws: CodecError.self) { try AACConfiguration(sampleRate: rate, channelCount: count) }
        }
    }
}
