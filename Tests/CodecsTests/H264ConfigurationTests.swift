import Codecs
import TestSupport
import Testing

struct H264ConfigurationTests {
    @Test(arguments: H264ParameterSetFixture.all)
    func readsWhatFFprobeReads(_ fixture: H264ParameterSetFixture) throws {
        let configuration = try H264Configuration(parsingRecord: fixture.record)
        let sps = configuration.sequenceParameterSet
        #expect(sps.width == fixture.width)
        #expect(sps.height == fixture.height)
        #expect(sps.frameRate == fixture.frameRate)
        #expect(sps.sampleAspectRatio == fixture.sampleAspectRatio)
        #expect(sps.maximumReorderFrameCount == fixture.reorderFrameCount)
        #expect(configuration.rfc6381 == fixture.rfc6381)
    }

    @Test(arguments: H264ParameterSetFixture.all)
    func writesTheRecordItRead(_ fixture: H264ParameterSetFixture) throws {
        let configuration = try H264Configuration(parsingRecord: fixture.record)
        #expect(configuration.record == fixture.record)
        let rebuilt = try H264Configuration(
            sequenceParameterSets: configuration.sequenceParameterSets,
            pictureParameterSets: configuration.pictureParameterSets)
        #expect(rebuilt == configuration)
    }

    @Test(arguments: H264ParameterSetFixture.all, [1, 333, 500, 6_000] as [UInt32])
    func tellsAnotherFrameDurationAndNothingElse(_ fixture: H264ParameterSetFixture, _ milliseconds: UInt32) throws {
        let configuration = try H264Configuration(parsingRecord: fixture.record)
        let retimed = configuration.retimed(frameMilliseconds: milliseconds)
        #expect(retimed.sequenceParameterSet.frameRate == 1_000 / Double(milliseconds))
        var expected = configuration.sequenceParameterSet
        expected.frameRate = retimed.sequenceParameterSet.frameRate
        #expect(retimed.sequenceParameterSet == expected)
        #expect(retimed.pictureParameterSets == configuration.pictureParameterSets)
        #expect(retimed.retimed(frameMilliseconds: milliseconds) == retimed)
        for set in retimed.sequenceParameterSets {
            // Emulation prevention: no start code.
            #expect(!zip(set, zip(set.dropFirst(), set.dropFirst(2))).contains { $0 == 0 && $1.0 == 0 && $1.1 < 3 })
        }
    }

    /// Baseline profile, level 1.3, 320 × 180, without a VUI; and the same cut anywhere.
    @Test func tellsAFrameDurationWithoutAnUsabilityInformation() throws {
        let bare = bytes(hexadecimal: "6742c00dda05067e74")
        let before = try H264SequenceParameterSet(parsing: bare)
        #expect(before.frameRate == nil)
        let retimed = try #require(H264SequenceParameterSet.retimed(bare, frameMilliseconds: 500))
        var after = try H264SequenceParameterSet(parsing: retimed)
        #expect(after.frameRate == 2)
        after.frameRate = nil
        #expect(after == before)
        for length in 0..<bare.count {
            let cut = H264SequenceParameterSet.retimed(Array(bare.prefix(length)), frameMilliseconds: 500)
            if let cut { #expect((try? H264SequenceParameterSet(parsing: cut))?.frameRate == 2) }
        }
    }

    @Test(arguments: H264ParameterSetFixture.all)
    func aRecordCutAnywhereThrowsOrIsWhole(_ fixture: H264ParameterSetFixture) {
        // The profile extension at the end is redundant; a record without it is complete.
        let extensionByteCount =
            fixture.record.suffix(4).first == 0xFC || fixture.record.suffix(4).first == 0xFD
                || fixture.record.suffix(4).first == 0xFF ? 4 : 0
        for length in 0..<(fixture.record.count - extensionByteCount) {
            #expect(throws: CodecError.self, "\(length) bytes") {
                try H264Configuration(parsingRecord: Array(fixture.record.prefix(length)))
            }
        }
    }

    @Test(arguments: H264ParameterSetFixture.all)
    func aSequenceParameterSetCutBeforeItsPictureSizeThrows(_ fixture: H264ParameterSetFixture) throws {
        let whole = try #require(try H264Configuration(parsingRecord: fixture.record).sequenceParameterSets.first)
        var parsed = 0
        for length in 0..<whole.count {
            do {
                let sps = try H264SequenceParameterSet(parsing: Array(whole.prefix(length)))
                // Only the VUI may be missing.
                #expect(sps.width == fixture.width && sps.height == fixture.height)
                parsed += 1
            } catch {
                #expect(parsed == 0, "a longer prefix must not be worse than a shorter one")
                #expect(!error.description.isEmpty)
            }
        }
        #expect(parsed < whole.count)
    }

    @Test(arguments: H264ParameterSetFixture.all)
    func flippedBitsNeverTrap(_ fixture: H264ParameterSetFixture) {
        for bit in 0..<(fixture.record.count * 8) {
            var damaged = fixture.record
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            guard let configuration = try? H264Configuration(parsingRecord: damaged) else { continue }
            #expect(configuration.sequenceParameterSet.width > 0)
            #expect(configuration.sequenceParameterSet.height > 0)
            _ = (configuration.record, configuration.rfc6381)
        }
        var generator = SeededGenerator(seed: 264)
        for _ in 0..<500 {
            var damaged = fixture.record
            for _ in 0..<Int.random(in: 1...12, using: &generator) {
                damaged[Int.random(in: 6..<damaged.count, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            guard let configuration = try? H264Configuration(parsingRecord: damaged) else { continue }
            _ = (configuration.record, configuration.rfc6381)
        }
    }

    @Test func refusesWhatARecordCannotHold() throws {
        let configuration = try H264Configuration(parsingRecord: H264ParameterSetFixture.all[0].record)
        let sps = configuration.sequenceParameterSets
        let pps = configuration.pictureParameterSets
        let cases: [(sps: [[UInt8]], pps: [[UInt8]])] = [
            ([], pps), (sps, []), (sps, [[]]), (sps, [Array(repeating: 0x68, count: 65_536)]),
            (Array(repeating: sps[0], count: 32), pps), (sps, Array(repeating: pps[0], count: 256)), (pps, pps),
            ([Array(repeating: 0x67, count: 4_097)], pps),
        ]
        for sets in cases {
            #expect(throws: CodecError.self) {
                try H264Configuration(sequenceParameterSets: sets.sps, pictureParameterSets: sets.pps)
            }
        }
    }

    @Test func refusesNALUnitLengthsOtherThanFourBytes() throws {
        var record = H264ParameterSetFixture.all[0].record
        record[4] = 0xFD
        let error = #expect(throws: CodecError.self) { try H264Configuration(parsingRecord: record) }
        #expect(error?.code == .unsupported)
        #expect(error?.description.contains("2 bytes") == true)
    }

    @Test(
        arguments: [
            (0x67, .sequenceParameterSet, false), (0x27, .sequenceParameterSet, false), (0x65, .idrSlice, true),
            (0x41, .nonIDRSlice, true), (0x06, .supplementalEnhancementInformation, false), (0x78, nil, false),
        ] as [(UInt8, H264NALUnitType?, Bool)])
    func tellsNALUnitTypes(_ header: UInt8, _ type: H264NALUnitType?, _ isSlice: Bool) {
        #expect(H264NALUnitType(headerByte: header) == type)
        #expect((type?.isSlice ?? false) == isSlice)
    }

    @Test func removesEmulationPreventionOnlyWhereItIs() {
        let escaped: [UInt8] = [0x67, 0, 0, 3, 1, 0, 0, 3, 0, 0, 3, 3, 0, 3]
        #expect(rawByteSequencePayload(of: escaped, headerByteCount: 1) == [0, 0, 1, 0, 0, 0, 0, 3, 0, 3])
        #expect(rawByteSequencePayload(of: [0x67], headerByteCount: 2).isEmpty)
    }
}
