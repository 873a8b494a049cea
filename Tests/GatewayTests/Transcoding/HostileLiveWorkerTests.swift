import Codecs
import Foundation
import LiveChannels
import MediaCore
import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing
import Transcoding

@testable import Gateway
@testable import LiveWorkers

/// Tests with a real process that answers like a live worker and lies: `Tests/Support/hostile-live-worker.py`.
@Suite(.timeLimit(.minutes(2))) struct HostileLiveWorkerTests {
    private static let program = "\(Repository.path)/Tests/Support/hostile-live-worker.py"

    /// Video may take a whole thread; a worker that answers at once must not use it.
    @Test(arguments: [
        (ForeignCodec.pcmMuLaw(sampleRate: 8_000, channelCount: 1), 0.25), (.vp8, 1.25),
    ]) func aWorkerThatAnswersAndSpinsIsEndedAndStartedAgain(
        _ codec: ForeignCodec, _ secondsPerMediaSecond: Double
    ) async throws {
        let interruptions = Mutex([String]())
        let transcoder = LiveWorkerTranscoder(
            codec: codec, timescale: Timescale(8_000),
            processorLimits: .init(secondsPerMediaSecond: secondsPerMediaSecond, secondsAtOnce: 0.5),
            on: MultiThreadedEventLoopGroup.singleton.any(),
            launcher: LiveWorkerProcessLauncher(executable: Self.program)
        ) { output in
            if case .interrupted(let reason) = output { interruptions.withLock { $0.append(reason) } }
        }
        let begin = ContinuousClock.now
        var time: Int64 = 0
        while interruptions.withLock(\.count) < 2, ContinuousClock.now - begin < .seconds(90) {
            _ = transcoder.send(
                AccessUnit(
                    decodeTime: time, presentationTime: time, isRandomAccessPoint: true,
                    payload: .frame(ByteBuffer(repeating: 0xD5, count: 160))))
            time += 160
            try await Task.sleep(for: .milliseconds(20))
        }
        transcoder.close()
        let reasons = interruptions.withLock(\.self)
        #expect(reasons.count == 2 && reasons.allSatisfy { $0.contains("processor time") }, "\(reasons)")
    }
}
