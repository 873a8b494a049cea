import BoardDrawing
import Codecs
import LiveChannels
import MediaCore
import NIOCore
import NIOEmbedded
import Synchronization
import TestSupport
import Testing

@testable import LiveWorkers
@testable import Transcoding

struct LiveLadderTranscoderTests {
    private let loop = EmbeddedEventLoop()
    private let workers = FakeWorkers()
    private let outputs = Outputs()

    private final class Outputs: Sendable {
        private let all = Mutex([LiveLadderOutput]())
        func append(_ output: LiveLadderOutput) { all.withLock { $0.append(output) } }
        var states: [String] {
            all.withLock {
                $0.compactMap { if case .state(let rung, let state) = $0 { "\(rung) \(state.rawValue)" } else { nil } }
            }
        }
        var units: [Int] { all.withLock { $0.compactMap { if case .unit(let rung, _) = $0 { rung } else { nil } } } }
        var missingBoards: [String] {
            all.withLock { $0.compactMap { if case .boardMissing(let reason) = $0 { reason } else { nil } } }
        }
        var failures: [String] {
            all.withLock { $0.compactMap { if case .failed(let reason) = $0 { reason } else { nil } } }
        }
    }

    private static let request = LiveLadderRequest(
        codec: .h264, timescale: .video90kHz, encoder: "libx264",
        rungs: [
            .init(width: 854, height: 480, frameRate: 30, bitRate: 1_200_000),
            .init(width: 426, height: 240, frameRate: 24, bitRate: 400_000),
        ])

    private func ladder(
        slots: TranscodingSlots = TranscodingSlots(8), boardRung: Int? = nil
    ) -> LiveLadderTranscoder {
        var request = Self.request
        request.boardRung = boardRung
        let ladder = LiveLadderTranscoder(request, slots: slots, on: loop, launcher: workers) { [outputs] in
            outputs.append($0)
        }
        loop.run()
        return ladder
    }

    /// x264's parameter sets, as in CodecsTests.
    private static let configuration: CodecConfiguration = {
        guard
            let configuration = try? H264Configuration(
                parsingRecord: bytes(
                    hexadecimal: "014d401effe10018674d401eeca05017fcb870800000030080000018078b16cb01000568ebe3cb20"))
        else { preconditionFailure("a test's parameter sets are wrong") }
        return .h264(configuration)
    }()

    private func send(_ ladder: LiveLadderTranscoder, _ time: Int64, isKeyFrame: Bool, byteCount: Int = 1_000) {
        ladder.send(
            AccessUnit(
                decodeTime: time, presentationTime: time, isRandomAccessPoint: isKeyFrame,
                payload: .nalUnits([
                    FragmentedNALUnit(ByteBuffer(repeating: isKeyFrame ? 0x65 : 0x41, count: byteCount))
                ])),
            Self.configuration)
        loop.run()
    }

    private static func adjustments(_ requests: [LiveWorkerRequest]) -> [[Int]] {
        requests.compactMap { if case .adjust(let adjustment) = $0 { adjustment.bitRates } else { nil } }
    }

    private static func times(_ requests: [LiveWorkerRequest]) -> [Int64] {
        requests.compactMap { if case .unit(let unit) = $0 { unit.presentationTime } else { nil } }
    }

    @Test func theWorkerIsToldWhatToEncodeBeforeTheFirstKeyFrame() throws {
        let ladder = ladder()
        send(ladder, 0, isKeyFrame: false)
        send(ladder, 3_600, isKeyFrame: true)
        send(ladder, 7_200, isKeyFrame: false)
        let worker = try #require(workers.workers.first)
        let heard = try worker.heard()
        guard case .beginLadder(Self.request)? = heard.first, case .adjust(let adjustment) = heard[1],
            case .unit(let first) = heard[2]
        else {
            Issue.record("\(heard)")
            return
        }
        #expect(adjustment.bitRates == [1_200_000, 400_000] && heard.count == 4)
        guard case .frame(let payload) = first.payload else { return }
        #expect(Array(payload.readableBytesView.prefix(5)) == [0, 0, 0, 1, 0x67], "parameter sets come first")
        #expect(outputs.states.isEmpty, "until the worker has begun")
        try worker.say(.adjusted(adjustment))
        #expect(outputs.states == ["0 encoded", "1 encoded"])
        ladder.close()
        loop.run()
        #expect(workers.endCount == 1)
    }

    /// The first key frame comes in the same moment as the ladder is made.
    @Test func theFirstKeyFrameIsNotMissed() throws {
        let ladder = LiveLadderTranscoder(Self.request, slots: TranscodingSlots(8), on: loop, launcher: workers) {
            [outputs] in outputs.append($0)
        }
        send(ladder, 0, isKeyFrame: true)
        #expect(try workers.workers.first?.heardTimes() == [0])
        ladder.close()
        loop.run()
    }

    @Test func aWorkerThatIsLateLosesTheLargestQuality() throws {
        let ladder = ladder()
        let worker = try #require(workers.workers.first)
        send(ladder, 0, isKeyFrame: true)
        try worker.say(.adjusted(LiveLadderAdjustment(bitRates: [1_200_000, 400_000])), .consumed)
        var time: Int64 = 0
        // Each unit is answered half a second later.
        for _ in 0..<8 {
            time += 45_000
            send(ladder, time, isKeyFrame: true)
            loop.advanceTime(by: .milliseconds(500))
            try worker.say(.consumed)
        }
        let told = Self.adjustments(try worker.heard())
        #expect(told.contains([0, 400_000]))
        try worker.say(.adjusted(LiveLadderAdjustment(bitRates: [0, 400_000])))
        #expect(outputs.states.last == "0 dropped")
    }

    /// Its first units have waited for it.
    @Test func aWorkerThatHasJustBegunIsNotLate() throws {
        let ladder = ladder()
        let worker = try #require(workers.workers.first)
        for frame in Int64(0)..<50 {
            send(ladder, frame * 3_600, isKeyFrame: frame == 0)
            loop.advanceTime(by: .milliseconds(40))
        }
        try worker.say(.adjusted(LiveLadderAdjustment(bitRates: [1_200_000, 400_000])))
        for _ in 0..<48 { try worker.say(.consumed) }
        loop.advanceTime(by: .seconds(1))
        #expect(outputs.states == ["0 encoded", "1 encoded"])
        ladder.close()
        loop.run()
    }

    @Test func nothingIsSentWhileNobodyWatches() throws {
        let ladder = ladder()
        let worker = try #require(workers.workers.first)
        send(ladder, 0, isKeyFrame: true)
        try worker.say(.adjusted(LiveLadderAdjustment(bitRates: [1_200_000, 400_000])), .consumed)
        ladder.setWatched(false)
        loop.run()
        #expect(Set(outputs.states.suffix(2)) == ["0 asleep", "1 asleep"])
        _ = try worker.heard()
        send(ladder, 90_000, isKeyFrame: true)
        #expect(try worker.heardTimes().isEmpty)
        ladder.setWatched(true)
        loop.run()
        send(ladder, 93_600, isKeyFrame: false)
        send(ladder, 180_000, isKeyFrame: true)
        let heard = try worker.heard()
        #expect(Self.adjustments(heard) == [[1_200_000, 400_000]] && heard.count == 2, "it begins with a key frame")
        try worker.say(.adjusted(LiveLadderAdjustment(bitRates: [1_200_000, 400_000])))
        #expect(Set(outputs.states.suffix(2)) == ["0 encoded", "1 encoded"])
    }

    /// The cheapest qualities come first, and a slot that others give back is taken.
    @Test func slotsAreShared() throws {
        let slots = TranscodingSlots(3)
        let (first, second) = (ladder(slots: slots), ladder(slots: slots))
        #expect(slots.usedCount == 3)
        send(second, 0, isKeyFrame: true)
        let worker = try #require(workers.workers.last)
        #expect(Self.adjustments(try worker.heard()) == [[0, 400_000]])
        #expect(outputs.states.contains("0 withoutSlot"))
        try worker.say(.adjusted(LiveLadderAdjustment(bitRates: [0, 400_000])), .consumed)
        first.close()
        loop.run()
        loop.advanceTime(by: .seconds(11))
        #expect(slots.usedCount == 2)
        send(second, 90_000, isKeyFrame: true)
        let told = try #require(Self.adjustments(try worker.heard()).last)
        #expect(told.count == 2 && told.allSatisfy { $0 > 0 })
        second.close()
        loop.run()
        #expect(slots.usedCount == 0)
    }

    /// It gets the group of pictures once more, so that its decoder can begin at once.
    @Test func anotherWorkerGoesOnWithinTheGroup() throws {
        let ladder = ladder()
        send(ladder, 0, isKeyFrame: true)
        send(ladder, 45_000, isKeyFrame: false)
        let worker = try #require(workers.workers.first)
        _ = worker.embedded.close()
        send(ladder, 48_600, isKeyFrame: false)
        loop.advanceTime(by: .seconds(1))
        let next = try #require(workers.workers.last)
        #expect(workers.workers.count == 2)
        send(ladder, 52_200, isKeyFrame: false)
        let heard = try next.heard()
        #expect(Self.adjustments(heard) == [[1_200_000, 400_000]])
        #expect(Self.times(heard) == [0, 45_000, 48_600, 52_200])
        #expect(heard.contains { if case .resume(at: 48_600) = $0 { true } else { false } })
    }

    @Test func anotherWorkerBeginsWithAKeyFrameThatCameMeanwhile() throws {
        let ladder = ladder()
        send(ladder, 0, isKeyFrame: true)
        let worker = try #require(workers.workers.first)
        _ = worker.embedded.close()
        send(ladder, 45_000, isKeyFrame: false)
        send(ladder, 90_000, isKeyFrame: true)
        loop.advanceTime(by: .seconds(1))
        send(ladder, 93_600, isKeyFrame: false)
        let heard = try #require(workers.workers.last).heard()
        #expect(Self.times(heard) == [90_000, 93_600])
        #expect(!heard.contains { if case .resume = $0 { true } else { false } })
    }

    /// What is too much to keep is not sent again.
    @Test func aLongGroupIsNotRepeated() throws {
        let ladder = ladder()
        for unit in Int64(0)...200 {
            send(ladder, unit * 3_600, isKeyFrame: unit == 0)
            try workers.workers.first?.say(.consumed)
        }
        let worker = try #require(workers.workers.first)
        _ = worker.embedded.close()
        loop.advanceTime(by: .seconds(1))
        let next = try #require(workers.workers.last)
        #expect(workers.workers.count == 2)
        send(ladder, 724_000, isKeyFrame: false)
        send(ladder, 728_000, isKeyFrame: true)
        #expect(Self.times(try next.heard()) == [728_000], "what the decoder cannot begin with is left out")
    }

    // MARK: The scoreboard

    private static func told(_ requests: [LiveWorkerRequest]) -> (boards: [[DatedBoard]], dates: [FrameDates]) {
        (
            requests.compactMap { if case .boards(let boards) = $0 { boards } else { nil } },
            requests.compactMap { if case .dates(let dates) = $0 { dates } else { nil } }
        )
    }

    @Test func everyWorkerIsToldTheScoreboardAndTheDates() throws {
        let date = WallClockTime(millisecondsSince1970: 1_796_000_000_123)
        let boards = [
            DatedBoard(
                from: date,
                board: BoardPicture(
                    sides: [.init(name: "Núñez\n", countries: ["ES"], serves: true, columns: ["1"], points: "10")],
                    clock: .init(
                        label: "2.", playedMilliseconds: 5, runningSince: date, periodSeconds: 600, countsDown: true),
                    line: "Time-out", lineCountsDownTo: date, language: "es")),
            DatedBoard(from: date + .seconds(1), board: nil),
        ]
        let expected = boards.map { DatedBoard(from: $0.from, board: $0.board?.bounded) }
        let ladder = ladder(boardRung: 0)
        ladder.show(boards)
        ladder.setDate(date, at: 90_000)
        send(ladder, 90_000, isKeyFrame: true)
        let worker = try #require(workers.workers.first)
        let first = try worker.heard()
        guard case .beginLadder(let request)? = first.first else { return }
        #expect(request.boardRung == 0)
        #expect(Self.told(first).boards == [expected])
        #expect(Self.told(first).dates == [FrameDates(time: 90_000, date: date)])
        ladder.show(boards)
        ladder.setDate(date + .seconds(2), at: 270_000)
        loop.run()
        let second = Self.told(try worker.heard())
        #expect(second.boards.isEmpty && second.dates.count == 1, "the same boards are not sent again")
        _ = worker.embedded.close()
        loop.advanceTime(by: .seconds(1))
        let next = Self.told(try #require(workers.workers.last).heard())
        #expect(workers.workers.count == 2 && next.boards == [expected])
        #expect(next.dates == [FrameDates(time: 270_000, date: date + .seconds(2))])
    }

    @Test func aLadderWithoutAScoreboardIsToldNone() throws {
        let ladder = ladder()
        ladder.show([DatedBoard(from: .unixEpoch, board: nil)])
        ladder.setDate(.unixEpoch, at: 0)
        send(ladder, 0, isKeyFrame: true)
        let told = Self.told(try #require(workers.workers.first).heard())
        #expect(told.boards.isEmpty && told.dates.isEmpty)
    }

    @Test func aBoardThatCannotBeDrawnIsToldOnce() throws {
        let ladder = ladder(boardRung: 0)
        let worker = try #require(workers.workers.first)
        try worker.say(.boardMissing("cannot load libcairo.so.2\u{7}"), .boardMissing("again"))
        #expect(outputs.missingBoards.count == 1 && outputs.missingBoards[0].hasPrefix("cannot load libcairo.so.2"))
        #expect(workers.endCount == 0)
        ladder.close()
        loop.run()
    }

    @Test func aQualityWithTheScoreboardMayHaveTheBitsOfTheSource() {
        var rate = SourceRate()
        _ = rate.measure(now: .uptimeNanoseconds(0))
        rate.add(byteCount: 750_000)
        #expect(rate.measure(now: .uptimeNanoseconds(6_000_000_000)) && rate.bitRate == 1_000_000)
        let rates = rate.bitRates([3_000_000, 1_200_000, 400_000], current: [0, 0, 0], apart: 1)
        #expect(rates == [750_000, 1_000_000, 400_000])
    }

    @Test func aWorkerThatSendsWhatNobodyAskedForIsReplaced() throws {
        let ladder = ladder()
        let worker = try #require(workers.workers.first)
        try worker.say(.rung(2, .configuration(Self.configuration, .video90kHz)))
        #expect(workers.endCount == 1 && outputs.units.isEmpty)
        ladder.close()
        loop.run()
    }

    @Test func aFailureEndsTheLadder() throws {
        let slots = TranscodingSlots(2)
        let ladder = ladder(slots: slots)
        let worker = try #require(workers.workers.first)
        try worker.say(.output(.failed("needs the encoder libx264, which this libav lacks")))
        #expect(outputs.failures == ["needs the encoder libx264, which this libav lacks"])
        #expect(slots.usedCount == 0)
        send(ladder, 0, isKeyFrame: true)
        #expect(workers.workers.count == 1)
    }

    @Test(arguments: [
        [UInt8](), [1], [1, 0, 1, 0x5F, 0x90, 3, 0x61], [9, 0, 1, 0x5F, 0x90, 0],
        [1, 0, 0, 0, 0, 7] + Array("libx264".utf8),
        [1, 0, 1, 0x5F, 0x90, 7] + Array("libx264".utf8),
        [1, 0, 1, 0x5F, 0x90, 7] + Array("libx264".utf8) + [UInt8](repeating: 0, count: 16),
        [1, 0, 1, 0x5F, 0x90, 7] + Array("libx264".utf8) + [UInt8](repeating: 255, count: 16 * 9),
    ])
    func whatIsNoLadderIsRefused(body: [UInt8]) {
        #expect(LiveLadderRequest(body: ByteBuffer(bytes: body)) == nil)
    }
}
