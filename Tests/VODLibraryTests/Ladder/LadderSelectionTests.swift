import LibAV
import MediaCore
import Testing
import Transcoding

@testable import VODLibrary

struct LadderSelectionTests {
    static let low = QualityPreset(
        name: "low", width: 426, height: 240, frameRate: 24, videoBitRate: 400_000, audioBitRate: 0)
    static let medium = QualityPreset(
        name: "medium", width: 854, height: 480, frameRate: 30, videoBitRate: 1_200_000, audioBitRate: 0)
    static let high = QualityPreset(
        name: "high", width: 1280, height: 720, frameRate: 30, videoBitRate: 2_500_000, audioBitRate: 0)

    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var size: (Int, Int)
        var frameRate: Double?
        var bitRate: Int
        var isOffered = true
        /// `name WIDTHxHEIGHT RATE BITS`
        var rungs: [String]
        var omitted: [String] = []
        var testDescription: String { name }
    }

    @Test(arguments: [
        Case(
            name: "a film is made smaller, at its own rate of frames", size: (1920, 1080), frameRate: 25,
            bitRate: 6_000_000,
            rungs: ["high 1280x720 25.0 2500000", "medium 854x480 25.0 1200000", "low 426x240 25.0 400000"]),
        Case(
            name: "every second of 60 frames", size: (1920, 1080), frameRate: 60, bitRate: 6_000_000,
            rungs: ["high 1280x720 30.0 2500000", "medium 854x480 30.0 1200000", "low 426x240 30.0 400000"]),
        Case(
            name: "portrait", size: (1080, 1920), frameRate: 30, bitRate: 6_000_000,
            rungs: ["high 720x1280 30.0 2500000", "medium 480x854 30.0 1200000", "low 240x426 30.0 400000"]),
        Case(
            name: "wide frames fit by their width", size: (1920, 800), frameRate: 24, bitRate: 6_000_000,
            rungs: ["high 1280x534 24.0 2500000", "medium 854x356 24.0 1200000", "low 426x178 24.0 400000"]),
        Case(
            name: "never larger than the source, odd sides made even", size: (641, 361), frameRate: 25,
            bitRate: 6_000_000,
            rungs: ["high 640x360 25.0 2500000", "medium 640x360 25.0 1200000", "low 426x240 25.0 400000"]),
        Case(
            name: "never more bits than the source", size: (1280, 720), frameRate: 30, bitRate: 1_300_000,
            rungs: ["low 426x240 30.0 400000"], omitted: ["high", "medium"]),
        Case(
            name: "a source that is not offered is encoded again", size: (1280, 720), frameRate: 30, bitRate: 1_300_000,
            isOffered: false, rungs: ["high 1280x720 30.0 1300000", "low 426x240 30.0 400000"], omitted: ["medium"]),
        Case(
            name: "nothing of a small source", size: (160, 90), frameRate: 25, bitRate: 100_000, rungs: [],
            omitted: ["high", "medium", "low"]),
        Case(
            name: "a rate that nobody knows is the preset's", size: (1920, 1080), frameRate: nil, bitRate: 500_000,
            rungs: ["low 426x240 24.0 400000"], omitted: ["high", "medium"]),
        Case(
            name: "a rate of a damaged file", size: (1920, 1080), frameRate: .infinity, bitRate: 500_000,
            rungs: ["low 426x240 24.0 400000"], omitted: ["high", "medium"]),
    ])
    func choosesWhatMakesSense(_ expected: Case) {
        let selection = LadderSelection(
            [Self.low, Self.medium, Self.high],
            for: LadderSelection.Source(
                size: ShownSize(width: expected.size.0, height: expected.size.1), frameRate: expected.frameRate,
                bitRate: expected.bitRate, isOffered: expected.isOffered))
        let rungs = selection.rungs.map { "\($0.name) \($0.width)x\($0.height) \($0.frameRate) \($0.bitRate)" }
        #expect(rungs == expected.rungs)
        #expect(selection.omitted.map(\.preset) == expected.omitted)
    }

    static let mobile = QualityPreset(
        name: "mobile", width: 320, height: 180, frameRate: 24, videoBitRate: 150_000, audioBitRate: 0)

    struct LimitedCase: Sendable, CustomTestStringConvertible {
        var name: String
        var bitRate: Int
        var peak: Int
        var audioPeak = 64_000
        var isOffered = true
        /// `name BITS LIMIT`
        var rungs: [String]
        var omitted: [String] = []
        var audio: [[String]] = []
        var testDescription: String { name }
    }

    /// With a limit of 400 kbit/s for the lowest rendition.
    @Test(arguments: [
        LimitedCase(
            name: "the lowest has the limit, and quiet audio is shared", bitRate: 3_000_000, peak: 5_000_000,
            rungs: ["low 400000 nil", "mobile 150000 400000"]),
        LimitedCase(
            name: "loud audio is encoded again, each language once", bitRate: 3_000_000, peak: 5_000_000,
            audioPeak: 192_000, rungs: ["low 400000 nil", "mobile 150000 400000"],
            audio: [["audio", "audio-3"], ["audio-2"]]),
        LimitedCase(
            name: "a film below the limit is the lowest itself", bitRate: 150_000, peak: 330_000, rungs: [],
            omitted: ["low", "mobile"]),
        LimitedCase(
            name: "few bits on average are not enough", bitRate: 100_000, peak: 2_000_000,
            rungs: ["mobile 100000 400000"], omitted: ["low"]),
        LimitedCase(
            name: "nor is little video with loud audio", bitRate: 160_000, peak: 200_000, audioPeak: 330_000,
            rungs: ["mobile 150000 400000"], omitted: ["low"], audio: [["audio", "audio-3"], ["audio-2"]]),
        LimitedCase(
            name: "a film that players are not offered is no rendition", bitRate: 100_000, peak: 120_000,
            isOffered: false, rungs: ["mobile 100000 400000"], omitted: ["low"]),
    ])
    func theLowestRenditionStaysBelowItsLimit(_ expected: LimitedCase) {
        let selection = LadderSelection(
            [Self.low, Self.mobile],
            for: LadderSelection.Source(
                size: ShownSize(width: 1280, height: 720), frameRate: 25, bitRate: expected.bitRate,
                isOffered: expected.isOffered, audioPeak: expected.audioPeak,
                bandwidth: expected.peak + expected.audioPeak, audioMembers: [["audio", "audio-3"], ["audio-2"]]),
            bandwidthLimit: 400_000)
        let rungs = selection.rungs.map { rung in
            "\(rung.name) \(rung.bitRate) \(rung.bandwidthLimit.map(String.init) ?? "nil")"
        }
        #expect(rungs == expected.rungs)
        #expect(selection.omitted.map(\.preset) == expected.omitted)
        #expect(selection.audio == expected.audio)
    }

    @Test func aRequestWithoutALimitHasTheKeyThatItHadInEarlierVersions() {
        let source = LadderSelection.Source(
            size: ShownSize(width: 1920, height: 1080), frameRate: 25, bitRate: 6_000_000, isOffered: true,
            audioPeak: 448_000, bandwidth: 8_000_000, audioMembers: [["audio"]])
        func request(_ limit: Int?) -> LadderRequest {
            LadderRequest(
                encoder: "libx264", selection: LadderSelection([Self.low], for: source, bandwidthLimit: limit))
        }
        #expect(request(nil).key == "b444af6a")
        #expect(request(400_000).key != request(nil).key)
        #expect(request(400_000).audio == [["audio"]])
    }

    @Test func aRequestsKeyTellsItFromOthers() {
        let source = LadderSelection.Source(
            size: ShownSize(width: 1920, height: 1080), frameRate: 25, bitRate: 6_000_000, isOffered: true)
        let both = LadderSelection([Self.low, Self.medium], for: source)
        let requests = [
            LadderRequest(encoder: "libx264", selection: both), LadderRequest(encoder: "libx265", selection: both),
            LadderRequest(encoder: "libx264", selection: LadderSelection([Self.low], for: source)),
        ]
        #expect(Set(requests.map(\.key)).count == 3)
        #expect(requests[0].key == LadderRequest(encoder: "libx264", selection: both).key)
        #expect(requests[0].renditionName(requests[0].rungs[0]) == "medium-\(requests[0].key)")
    }
}
