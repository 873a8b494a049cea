import Codecs
import MediaCore
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import LiveWorkers
@testable import Transcoding

/// The process that makes pictures of key frames, with fakes in its place.
@Suite struct PictureWorkerTests {
    private let loop = EmbeddedEventLoop()
    private let workers = FakeWorkers()
    private let pictures: PictureWorker
    private static let jpeg = ByteBuffer(bytes: [0xFF, 0xD8, 0xFF, 0xD9])

    init() { pictures = PictureWorker(on: loop, launcher: workers) }

    /// What became of a picture: its bytes, or why there is none.
    private final class Outcome: Sendable {
        private let state = Mutex((picture: ByteBuffer?.none, error: PictureError?.none))

        init(_ future: EventLoopFuture<ByteBuffer>) {
            future.whenSuccess { bytes in self.state.withLock { $0.picture = bytes } }
            future.whenFailure { error in self.state.withLock { $0.error = error as? PictureError } }
        }

        var picture: ByteBuffer? { state.withLock { $0.picture } }
        var error: PictureError? { state.withLock { $0.error } }
    }

    private func wish(_ byte: UInt8, byteCount: Int = 4) -> Outcome {
        let frame = KeyFrame(codec: .h264, bytes: ByteBuffer(repeating: byte, count: byteCount))
        let outcome = Outcome(pictures.picture(of: frame))
        loop.run()
        return outcome
    }

    @Test func oneProcessMakesPicturesOneAfterTheOther() throws {
        let outcomes = [wish(1), wish(2), wish(3)]
        let worker = try #require(workers.workers.first)
        #expect(try worker.heardKeyFrames().map(\.bytes) == [ByteBuffer(repeating: 1, count: 4)])
        try worker.say(.picture(Self.jpeg))
        #expect(outcomes[0].picture == Self.jpeg)
        #expect(try worker.heardKeyFrames().map(\.bytes) == [ByteBuffer(repeating: 2, count: 4)])
        try worker.say(.refused("it is garbage"))
        #expect(outcomes[1].error == .notDecodable("it is garbage"))
        _ = try worker.heardKeyFrames()
        try worker.say(.picture(Self.jpeg))
        #expect(outcomes[2].picture == Self.jpeg && workers.workers.count == 1)
    }

    @Test func aProcessThatNobodyNeedsIsEnded() throws {
        _ = wish(1)
        try workers.workers[0].say(.picture(Self.jpeg))
        loop.advanceTime(by: PictureWorker.idleTime - .seconds(1))
        #expect(workers.endCount == 0)
        loop.advanceTime(by: .seconds(1))
        #expect(workers.endCount == 1)
        _ = wish(2)
        #expect(workers.workers.count == 2)
    }

    @Test func aFrameThatKillsTheProcessTakesNoOtherPictureForEver() throws {
        let (killer, next) = (wish(1), wish(2))
        try workers.workers[0].embedded.close().wait()
        loop.run()
        #expect(killer.error == .workerLost("it ended") && next.error == .workerLost("it ended"))
        let later = wish(3)
        #expect(workers.workers.count == 1, "there is a pause")
        loop.advanceTime(by: .milliseconds(250))
        #expect(try workers.workers[1].heardKeyFrames().map(\.bytes) == [ByteBuffer(repeating: 3, count: 4)])
        try workers.workers[1].say(.picture(Self.jpeg))
        #expect(later.picture == Self.jpeg)
    }

    /// Pauses grow, so that a frame that kills each process does not keep the machine busy with starts.
    @Test func pausesGrow() throws {
        for pause in [250, 500, 1_000, 2_000] as [Int64] {
            let outcome = wish(1)
            try #require(workers.workers.last).embedded.close().wait()
            loop.run()
            #expect(outcome.error == .workerLost("it ended"))
            let count = workers.workers.count
            _ = wish(2)
            loop.advanceTime(by: .milliseconds(pause - 1))
            #expect(workers.workers.count == count)
            loop.advanceTime(by: .milliseconds(1))
            #expect(workers.workers.count == count + 1)
            try #require(workers.workers.last).say(.picture(Self.jpeg))
        }
    }

    @Test func aProcessThatTakesTooLongIsEnded() throws {
        let outcome = wish(1)
        loop.advanceTime(by: PictureWorker.pictureTime)
        #expect(outcome.error == .workerLost("a picture took too long") && workers.endCount == 1)
    }

    @Test func aProcessThatComputesSomethingElseIsEnded() throws {
        _ = wish(1)
        workers.use(PictureWorker.processorTimeAtOnce + PictureWorker.processorTimePerPicture + .milliseconds(1))
        try workers.workers[0].say(.picture(Self.jpeg))
        #expect(workers.endCount == 1)
    }

    @Test(arguments: [
        PictureWorkerMessage.Answer.picture(ByteBuffer(string: "<svg/>")),
        .picture(ByteBuffer(bytes: [0xFF, 0xD8] + [UInt8](repeating: 0, count: 256 << 10))),
    ]) func whatIsNoPictureIsNotPassedOn(_ answer: PictureWorkerMessage.Answer) throws {
        let outcome = wish(1)
        try workers.workers[0].say(answer)
        loop.run()
        #expect(outcome.picture == nil && outcome.error != nil && workers.endCount == 1)
    }

    @Test func anAnswerThatNobodyAskedForEndsTheProcess() throws {
        _ = wish(1)
        try workers.workers[0].say(.picture(Self.jpeg))
        try workers.workers[0].say(.picture(Self.jpeg))
        #expect(workers.endCount == 1)
    }

    @Test func aMachineWithoutLibAVSaysSo() throws {
        let outcome = wish(1)
        try workers.workers[0].say(.failed("libav is missing"))
        #expect(outcome.error == .workerLost("libav is missing"))
    }

    @Test func whatWaitsIsLimited() throws {
        let outcomes = (0...PictureWorker.maximumWaitingCount + 1).map { _ in wish(1) }
        #expect(outcomes.filter { $0.error == .busy }.count == 1)
        let large = wish(2, byteCount: PictureWorker.maximumWaitingByteCount)
        #expect(large.error == .busy)
        pictures.close()
        loop.run()
        #expect(outcomes.allSatisfy { $0.error != nil } && workers.endCount == 1)
    }

    @Test func aFrameThatIsTooLargeIsRefusedAndTheNextOneIsMade() throws {
        let byteCount = LiveTranscodingLimits.standard.maximumQueuedByteCount + 1
        let (large, small) = (wish(1, byteCount: byteCount), wish(2))
        #expect(large.error == .notDecodable("it has \(byteCount) bytes"))
        try workers.workers[0].say(.picture(Self.jpeg))
        #expect(small.picture == Self.jpeg)
    }
}
