import Codecs
import LiveChannels
import MediaCore
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import Gateway
@testable import LiveWorkers
@testable import Transcoding

struct LiveWorkerTranscoderTests {
    private let loop = EmbeddedEventLoop()
    private let workers = FakeWorkers()
    private let outputs = Outputs()
    private static let audio = ForeignCodec.pcmMuLaw(sampleRate: 8_000, channelCount: 1)

    private final class Outputs: Sendable {
        private let all = Mutex([LiveTranscoderOutput]())
        func append(_ output: LiveTranscoderOutput) { all.withLock { $0.append(output) } }
        var times: [Int64] {
            all.withLock { $0.compactMap { if case .unit(let unit) = $0 { unit.presentationTime } else { nil } } }
        }
        var interruptions: [String] {
            all.withLock { $0.compactMap { if case .interrupted(let reason) = $0 { reason } else { nil } } }
        }
        var failures: [String] {
            all.withLock { $0.compactMap { if case .failed(let reason) = $0 { reason } else { nil } } }
        }
        var configurationCount: Int {
            all.withLock { $0.count { if case .configuration = $0 { true } else { false } } }
        }
    }

    private func transcoder(_ codec: ForeignCodec = audio) -> LiveWorkerTranscoder {
        let transcoder = LiveWorkerTranscoder(
            codec: codec, timescale: Timescale(8_000), on: loop, launcher: workers
        ) { [outputs] in outputs.append($0) }
        loop.run()
        return transcoder
    }

    private static func unit(_ time: Int64, isKeyFrame: Bool = true) -> AccessUnit {
        AccessUnit(
            decodeTime: time, presentationTime: time, isRandomAccessPoint: isKeyFrame,
            payload: .frame(ByteBuffer(repeating: 0xD5, count: 160)))
    }

    private static func answer(_ time: Int64) -> LiveWorkerAnswer { .output(.unit(unit(time))) }

    /// Parameter sets of libx264 (core 164).
    private enum ParameterSets {
        case size360, size720

        var bytes: (sequence: [UInt8], picture: [UInt8]) {
            switch self {
            case .size360:
                (
                    [
                        0x67, 0x64, 0x00, 0x1e, 0xac, 0xd9, 0x40, 0xa0, 0x2f, 0xf9, 0x70, 0x11, 0x00, 0x00, 0x03, 0x00,
                        0x01, 0x00, 0x00, 0x03, 0x00, 0x32, 0x0f, 0x16, 0x2d, 0x96,
                    ], [0x68, 0xeb, 0xe3, 0xcb, 0x22, 0xc0]
                )
            case .size720:
                (
                    [
                        0x67, 0x4d, 0x40, 0x1f, 0xd9, 0x00, 0x50, 0x05, 0xbb, 0x01, 0x10, 0x00, 0x00, 0x03, 0x00, 0x10,
                        0x00, 0x00, 0x03, 0x03, 0xc0, 0xf1, 0x83, 0x24, 0x80,
                    ], [0x68, 0xeb, 0xc3, 0xcb, 0x20]
                )
            }
        }
    }

    private static func configuration(_ sets: ParameterSets) throws -> LiveWorkerAnswer {
        let (sequence, picture) = sets.bytes
        return .output(
            .configuration(
                .h264(try H264Configuration(sequenceParameterSets: [sequence], pictureParameterSets: [picture])),
                Timescale(8_000)))
    }

    private static func configuration() throws -> LiveWorkerAnswer {
        .output(.configuration(.aac(try AACConfiguration(sampleRate: 48_000, channelCount: 1)), Timescale(48_000)))
    }

    @Test func whatAWorkerMakesOfUnitsComesOut() throws {
        let transcoder = transcoder()
        #expect(transcoder.send(Self.unit(160)))
        loop.run()
        let worker = try #require(workers.workers.first)
        let requests = try worker.heard()
        guard case .begin(Self.audio, Timescale(8_000))? = requests.first else {
            Issue.record("the first request is \(requests)")
            return
        }
        #expect(requests.count == 2)
        try worker.say(Self.configuration(), Self.answer(1_024), .consumed)
        #expect(outputs.configurationCount == 1)
        #expect(outputs.times == [1_024])
        transcoder.close()
        loop.run()
        #expect(workers.endCount == 1)
    }

    @Test func aWorkerThatEndsIsReplacedAfterPausesThatGrow() throws {
        let transcoder = transcoder()
        for (number, pause) in [250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000].enumerated() {
            try #require(workers.workers.count == number + 1)
            try workers.workers[number].embedded.close().wait()
            loop.run()
            #expect(outputs.interruptions.count == number + 1)
            loop.advanceTime(by: .milliseconds(Int64(pause) - 1))
            #expect(workers.workers.count == number + 1)
            loop.advanceTime(by: .milliseconds(1))
        }
        #expect(outputs.interruptions.allSatisfy { $0.contains("SIGKILL") })
        // After a minute of running, the next pause is the shortest again.
        let last = try #require(workers.workers.last)
        loop.advanceTime(by: .seconds(61))
        try last.embedded.close().wait()
        loop.run()
        let count = workers.workers.count
        loop.advanceTime(by: .milliseconds(250))
        #expect(workers.workers.count == count + 1)
        transcoder.close()
        loop.run()
        loop.advanceTime(by: .seconds(60))
        #expect(workers.workers.count == count + 1)
    }

    @Test func audioThatCameMeanwhileIsNotLost() throws {
        let transcoder = transcoder()
        try workers.workers[0].embedded.close().wait()
        for time in 0..<5 { #expect(transcoder.send(Self.unit(Int64(time) * 160))) }
        loop.advanceTime(by: .milliseconds(250))
        #expect(try workers.workers[1].heardTimes() == [0, 160, 320, 480, 640])
        transcoder.close()
        loop.run()
    }

    @Test func videoWaitsForAKeyFrameAfterAnEnd() throws {
        let transcoder = transcoder(.vp8)
        #expect(!transcoder.send(Self.unit(0, isKeyFrame: false)), "nothing can be decoded before the first key frame")
        #expect(transcoder.send(Self.unit(1)))
        #expect(transcoder.send(Self.unit(2, isKeyFrame: false)))
        loop.run()
        #expect(try workers.workers[0].heardTimes() == [1, 2])
        try workers.workers[0].embedded.close().wait()
        loop.advanceTime(by: .milliseconds(250))
        // The drop is not reported as an overload.
        #expect(transcoder.send(Self.unit(3, isKeyFrame: false)))
        #expect(transcoder.send(Self.unit(4)))
        loop.run()
        #expect(try workers.workers[1].heardTimes() == [4])
        transcoder.close()
        loop.run()
    }

    @Test func aWorkerThatIsStuckIsEnded() throws {
        let transcoder = transcoder()
        loop.advanceTime(by: .seconds(60))
        #expect(workers.endCount == 0, "one that has nothing to do is not stuck")
        #expect(transcoder.send(Self.unit(0)))
        loop.run()
        loop.advanceTime(by: .seconds(20))
        #expect(workers.endCount == 1)
        #expect(outputs.interruptions.first?.contains("no progress") == true)
        transcoder.close()
        loop.run()
    }

    /// Feeds the newest worker 1 s of media per second, for which it uses `processors`.
    ///
    /// - Parameters:
    ///   - busy: the part of each second after which the worker answers.
    ///   - frames: the number of frames that it sends for each second; it must have sent a configuration.
    private func feed(
        _ transcoder: LiveWorkerTranscoder, seconds: Range<Int>, processors: Double, busy: Double, frames: Int = 0
    ) throws {
        let worker = try #require(workers.workers.last)
        let busyMilliseconds = Int64(min(1, busy) * 1_000)
        for second in seconds where workers.endCount == 0 {
            #expect(transcoder.send(Self.unit(Int64(second) * 8_000)))
            loop.run()
            loop.advanceTime(by: .milliseconds(busyMilliseconds))
            guard workers.endCount == 0 else { return }
            workers.use(.milliseconds(Int64(Double(second - seconds.lowerBound + 1) * processors * 1_000)))
            for frame in 0..<frames { try worker.say(Self.frame(Int64(second) * 8_000 + Int64(frame))) }
            try worker.say(.consumed)
            loop.advanceTime(by: .milliseconds(1_000 - busyMilliseconds))
        }
    }

    private static func frame(_ time: Int64) -> LiveWorkerAnswer {
        .output(
            .unit(
                AccessUnit(
                    decodeTime: time, presentationTime: time, isRandomAccessPoint: true,
                    payload: .nalUnits([FragmentedNALUnit(ByteBuffer(bytes: [0x65, 0x88]))]))))
    }

    @Test func aWorkerThatAnswersAndComputesSomethingElseIsEnded() throws {
        let transcoder = transcoder()
        try feed(transcoder, seconds: 0..<600, processors: 1, busy: 1)
        #expect(workers.endCount == 1)
        #expect(outputs.interruptions.first?.contains("processor time") == true)
        loop.advanceTime(by: .milliseconds(250))
        #expect(workers.workers.count == 2)
        transcoder.close()
        loop.run()
    }

    @Test func aWorkerThatIsBusyWithItsMediaIsNotEnded() throws {
        let audio = transcoder()
        try feed(audio, seconds: 0..<600, processors: 0.2, busy: 0.2)
        audio.close()
        loop.run()
        #expect(workers.endCount == 1, "with its track")
    }

    @Test func videoMayTakeOneProcessorForHoursAndTwoForAMoment() throws {
        let transcoder = transcoder(.vp8)
        try workers.workers[0].say(Self.configuration(.size720))
        try feed(transcoder, seconds: 0..<3_600, processors: 1, busy: 1, frames: 25)
        #expect(workers.endCount == 0)
        workers.use(.seconds(3_605))
        loop.advanceTime(by: .seconds(3))
        #expect(workers.endCount == 0)
        workers.use(.seconds(3_620))
        loop.advanceTime(by: .seconds(3))
        #expect(workers.endCount == 1)
        transcoder.close()
        loop.run()
    }

    /// A worker that answers at once has nothing to do until the next unit comes.
    @Test func aWorkerThatSpinsWhileItHasNothingToDoIsEnded() throws {
        let transcoder = transcoder(.vp8)
        try workers.workers[0].say(Self.configuration(.size720))
        try feed(transcoder, seconds: 0..<60, processors: 1, busy: 0.1, frames: 25)
        #expect(workers.endCount == 1)
        #expect(outputs.interruptions.first?.contains("processor time") == true)
        transcoder.close()
        loop.run()
    }

    /// A worker that answers late seems busy, but small frames do not take that long.
    @Test(arguments: [(0, true), (5, true), (25, false)]) func smallOrNoFramesDoNotTakeAProcessor(
        _ frames: Int, _ isEnded: Bool
    ) throws {
        let transcoder = transcoder(.vp8)
        try workers.workers[0].say(Self.configuration(.size360))
        // A frame of 640 × 360 may take 23 ms.
        try feed(transcoder, seconds: 0..<120, processors: 0.8, busy: 1, frames: frames)
        #expect(workers.endCount == (isEnded ? 1 : 0))
        transcoder.close()
        loop.run()
    }

    /// The publisher may cooperate with a compromised worker.
    @Test func timestampsThatRunAheadEarnAWorkerNothing() throws {
        let transcoder = transcoder()
        let worker = try #require(workers.workers.last)
        for second in 0..<60 where workers.endCount == 0 {
            #expect(transcoder.send(Self.unit(Int64(second) * 8_000_000)))
            loop.run()
            workers.use(.seconds(Int64(second)))
            try worker.say(.consumed)
            loop.advanceTime(by: .seconds(1))
        }
        #expect(workers.endCount == 1)
        transcoder.close()
        loop.run()
    }

    @Test func computingForALongTimeIsNoTrialPassed() throws {
        let transcoder = transcoder()
        for pause in [250, 500, 1_000] {
            let count = workers.workers.count
            loop.advanceTime(by: .seconds(60))
            workers.use(.seconds(60))
            loop.advanceTime(by: .seconds(3))
            loop.advanceTime(by: .milliseconds(Int64(pause) - 1))
            #expect(workers.workers.count == count)
            loop.advanceTime(by: .milliseconds(1))
            #expect(workers.workers.count == count + 1)
        }
        transcoder.close()
        loop.run()
    }

    @Test func theQueueIsBoundedWhileAWorkerDoesNotAnswer() throws {
        let transcoder = transcoder()
        let accepted = (0..<500).count { time in
            defer { loop.run() }
            return transcoder.send(Self.unit(Int64(time)))
        }
        let most =
            LiveTranscodingLimits.standard.maximumQueuedUnitCount + LiveWorkerTranscoder.maximumUnansweredUnitCount
        #expect(accepted == most)
        #expect(try workers.workers[0].heardTimes().count == LiveWorkerTranscoder.maximumUnansweredUnitCount)
        try workers.workers[0].say(.consumed, .consumed)
        #expect(try workers.workers[0].heardTimes().count == 2)
        transcoder.close()
        loop.run()
    }

    private static let hostileAnswers: [[UInt8]] = [
        [0, 0, 0, 0], [255, 255, 255, 255, 3], [0, 0, 0, 1, 9], [0, 0, 0, 5, 3, 0, 0, 0, 0],
        // Timescales of zero and of too many ticks; empty configurations.
        [0, 0, 0, 5, 2, 0, 0, 0, 0], [0, 0, 0, 5, 2, 255, 255, 255, 255], [0, 0, 0, 5, 2, 0, 0, 187, 128],
        [0, 0, 0, 7, 2, 0, 0, 187, 128, 255, 255],
        // This answers a request that was not sent.
        [0, 0, 0, 1, 0],
    ]

    @Test(arguments: hostileAnswers) func aHostileAnswerEndsTheWorker(_ bytes: [UInt8]) throws {
        let transcoder = transcoder()
        try workers.workers[0].embedded.writeInbound(ByteBuffer(bytes: bytes))
        loop.run()
        #expect(workers.endCount == 1)
        #expect(outputs.interruptions.count == 1)
        #expect(outputs.times.isEmpty)
        transcoder.close()
        loop.run()
    }

    @Test(arguments: [Int64.max, .min, 1 << 60]) func wildTimesEndTheWorker(_ time: Int64) throws {
        let transcoder = transcoder()
        try workers.workers[0].say(Self.configuration(), Self.answer(time))
        loop.run()
        #expect(workers.endCount == 1)
        #expect(outputs.times.isEmpty)
        transcoder.close()
        loop.run()
    }

    @Test func aFloodEndsTheWorker() throws {
        let transcoder = transcoder()
        try workers.workers[0].say(Self.configuration())
        for time in 0..<20_000 where workers.endCount == 0 { try workers.workers[0].say(Self.answer(Int64(time))) }
        loop.run()
        #expect(workers.endCount == 1)
        #expect(outputs.times.count < 10_001)
        transcoder.close()
        loop.run()
    }

    @Test func aStreamThatCannotBeDecodedEndsTheTrack() throws {
        let transcoder = transcoder()
        try workers.workers[0].say(.output(.failed("MPEG audio: 50 units\u{1b}[2J")))
        loop.run()
        #expect(outputs.failures.count == 1)
        #expect(outputs.failures.first?.contains("\u{1b}") == false)
        loop.advanceTime(by: .seconds(120))
        #expect(workers.workers.count == 1)
        #expect(!transcoder.send(Self.unit(0)))
        transcoder.close()
        loop.run()
    }
}
