import Codecs
import ISOBMFF
import MediaCore
import NIOCore
import Packaging
import Testing

/// Codec parameters that change while a publisher sends.
struct LiveConfigurationChangeTests {
    @Test(arguments: [RenditionID.video, .audio])
    func newParametersAreADiscontinuityInAllRenditions(_ rendition: RenditionID) throws {
        var live = try LiveFixture()
        var nextAudio: Int64 = 0
        let changed =
            rendition == .video
            ? try LiveFixture.video(1) : .aac(try AACConfiguration(sampleRate: 48_000, channelCount: 1))
        let before = try #require(live.packager.initializationSection(for: rendition))
        for index in 0..<225 {
            live.audioFrames(from: &nextAudio, until: Double(index) / 25 - 0.2)
            // At 3 s, in mid-segment; a key frame comes at once.
            if index == 75 { live.packager.change(changed, of: rendition) }
            live.frame(at: Int64(index) * 3_600, isKey: index % 25 == 0)
        }
        live.finish()
        #expect(live.packager.initializationSection(for: rendition) != before)
        #expect(live.packager.initializationNumber(for: rendition) == 1)
        let other: RenditionID = rendition == .video ? .audio : .video
        #expect(live.packager.initializationNumber(for: other) == 0)
        for type in [RenditionID.video, .audio] {
            let segments = live.segments(type)
            #expect(segments.filter(\.isDiscontinuous).map(\.mediaSequence) == [102])
            #expect(
                segments.map(\.initializationNumber)
                    == segments.map {
                        type == rendition && $0.mediaSequence >= 102 ? 1 : 0
                    })
        }
    }

    /// The case matters for players that read only the first initialization section.
    @Test(arguments: [false, true])
    func onlyTheFirstFrameBehindADiscontinuityHasItsParameterSets(followsAnotherEpoch: Bool) throws {
        var live = try LiveFixture(.video, isDiscontinuous: followsAnotherEpoch)
        let changed = try LiveFixture.video(1)
        for index in 0..<300 {
            if index == 140 { live.packager.change(changed, of: .video) }
            live.frame(at: Int64(index) * 3_600, isKey: index % 50 == 0)
        }
        live.finish()
        let frame = 4 + 1 + 100
        let (first, second) = (try Self.prefix(of: try LiveFixture.video(0)), try Self.prefix(of: changed))
        let expected = [followsAnotherEpoch ? first : [], [], [], second, [], []]
        for (segment, prefix) in zip(live.segments(.video), expected) {
            let sizes = segment.parts.flatMap(\.samples).map { Int($0.byteCount) }
            #expect(sizes == [frame + prefix.count] + Array(repeating: frame, count: 49))
            #expect(segment.parts.first?.media.readableBytesView.starts(with: prefix) == true)
        }
        #expect(live.segments(.video).count == expected.count)
    }

    private static func prefix(of configuration: CodecConfiguration) throws -> [UInt8] {
        let sets = configuration.parameterSets
        #expect(sets.compactMap { $0.first.map { $0 & 0x1F } } == [7, 8])
        return sets.flatMap { [0, 0, 0, UInt8($0.count)] + $0 }
    }

    @Test func theSameParametersAgainAreNoChange() throws {
        var live = try LiveFixture(.video)
        for index in 0..<150 {
            if index % 50 == 0 { live.packager.change(try LiveFixture.video(0), of: .video) }
            live.frame(at: Int64(index) * 3_600, isKey: index % 50 == 0)
        }
        live.finish()
        #expect(live.segments(.video).allSatisfy { !$0.isDiscontinuous && $0.initializationNumber == 0 })
    }

    @Test func parametersThatChangeBackBeforeTheCutAreNoChange() throws {
        var live = try LiveFixture(.video)
        for index in 0..<150 {
            if index == 60 { live.packager.change(try LiveFixture.video(1), of: .video) }
            if index == 70 { live.packager.change(try LiveFixture.video(0), of: .video) }
            live.frame(at: Int64(index) * 3_600, isKey: index % 50 == 0)
        }
        live.finish()
        #expect(live.segments(.video).allSatisfy { !$0.isDiscontinuous && $0.initializationNumber == 0 })
    }

    @Test func parametersFromTheStreamReplaceThoseOfAnOldAnnouncementAtOnce() throws {
        var live = try LiveFixture(.video)
        let announced = try #require(live.packager.initializationSection(for: .video))
        live.packager.change(try LiveFixture.video(1), of: .video)
        for index in 0..<100 { live.frame(at: Int64(index) * 3_600, isKey: index % 50 == 0) }
        live.finish()
        #expect(live.packager.initializationSection(for: .video) != announced)
        #expect(live.segments(.video).map(\.initializationNumber) == [1, 1])
        #expect(live.segments(.video).allSatisfy { !$0.isDiscontinuous })
    }

    @Test func audioThatBeginsAfterAJumpOfTheClockBeginsBesideTheVideo() throws {
        var live = try LiveFixture()
        for index in 0..<75 { live.frame(at: Int64(index) * 3_600, isKey: index % 50 == 0) }
        // The publisher's clock goes 25 s ahead, and only then does it begin to send audio.
        let jump: Int64 = 25
        for index in 75..<150 {
            live.frame(at: Int64(index) * 3_600 + jump * 90_000, isKey: index % 50 == 0)
            live.audio(at: Int64(index) * 1_920 + jump * 48_000)
        }
        live.finish()
        let sound = try #require(live.parts(.audio).first).decodeTime
        let frame = try #require(live.parts(.video).last { $0.decodeTime <= sound }).decodeTime
        #expect((sound - frame).seconds < 1)
    }
}
