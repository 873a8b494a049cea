import DequeModule
import NIOCore
import Transcoding

/// Makes pictures of key frames, one after the other, in one worker process for all channels. The process is started
/// when a picture is wanted, and ended when none has been wanted for a while. If it ends by itself, the pictures that
/// were wanted are not made; the next process is started after an increasing pause.
///
/// `@unchecked Sendable`: all mutable state is confined to `eventLoop`.
final class PictureWorker: @unchecked Sendable {
    /// Limit of key frames that wait: as many as channels may be looked at at once.
    static let maximumWaitingCount = 256
    /// Limit of the bytes of key frames that wait.
    static let maximumWaitingByteCount = 32 << 20
    /// Time for one picture; the largest frames take a fraction of a second.
    static let pictureTime = TimeAmount.seconds(5)
    /// Time without wishes after which the process is ended.
    static let idleTime = TimeAmount.seconds(30)
    /// Processor time of a picture of the largest frame on the slowest machine, and of the start.
    static let processorTimePerPicture = TimeAmount.seconds(1)
    static let processorTimeAtOnce = TimeAmount.seconds(5)
    /// Pictures after which a process counts as a sound one, and the next pause is the shortest again.
    private static let trialCount = 100
    /// Pictures after which a process is replaced, so that one that was taken over is not for ever.
    static let picturesPerProcess = 10_000
    private static let shortestPause = TimeAmount.milliseconds(250)
    private static let longestPause = TimeAmount.seconds(30)

    private struct Wish {
        var frame: KeyFrame
        var promise: EventLoopPromise<ByteBuffer>
    }

    private enum Phase {
        case idle, starting, pausing
        case running(any LiveWorkerConnection)
    }

    private let eventLoop: any EventLoop
    private let launcher: any LiveWorkerLauncher
    private var phase = Phase.idle
    /// The number of the current worker; events of former workers are ignored.
    private var generation = 0
    private var waiting: Deque<Wish> = []
    private var waitingByteCount = 0
    private var current: Wish?
    private var timer: Scheduled<Void>?
    private var lossCount = 0
    private var madeCount = 0
    private var isOver = false

    init(on eventLoop: any EventLoop, launcher: any LiveWorkerLauncher) {
        (self.eventLoop, self.launcher) = (eventLoop, launcher)
    }

    /// Makes a picture; fails with ``PictureError``.
    func picture(of frame: KeyFrame) -> EventLoopFuture<ByteBuffer> {
        let promise = eventLoop.makePromise(of: ByteBuffer.self)
        eventLoop.execute { self.add(Wish(frame: frame, promise: promise)) }
        return promise.futureResult
    }

    /// Ends the process; what waits fails.
    func close() {
        eventLoop.execute {
            self.isOver = true
            self.end("the server stops")
            self.failAll(.workerLost("the server stops"))
        }
    }

    private func add(_ wish: Wish) {
        guard !isOver else { return wish.promise.fail(PictureError.workerLost("the server stops")) }
        let byteCount = wish.frame.bytes.readableBytes
        guard waiting.count < Self.maximumWaitingCount, byteCount <= Self.maximumWaitingByteCount - waitingByteCount
        else { return wish.promise.fail(PictureError.busy) }
        waiting.append(wish)
        waitingByteCount += byteCount
        goOn()
    }

    // MARK: The process

    private func goOn() {
        switch phase {
        case .starting, .pausing: return
        case .idle: if !waiting.isEmpty { launch() }
        case .running(let connection): if current == nil { sendNext(to: connection) }
        }
    }

    private func launch() {
        guard !isOver else { return }
        phase = .starting
        generation += 1
        madeCount = 0
        let number = generation
        launcher.launch(on: eventLoop) { [weak self] in
            PictureWorkerHandler { event in self?.handle(event, of: number) }
        }.whenComplete { result in
            switch result {
            case .success(let connection):
                guard !self.isOver, number == self.generation else {
                    _ = connection.end()
                    return
                }
                self.phase = .running(connection)
                guard connection.channel.isActive else { return self.lose("it ended at once") }
                var buffer = connection.channel.allocator.buffer(capacity: 16)
                LiveWorkerRequest.beginPictures.write(into: &buffer)
                connection.channel.writeAndFlush(buffer, promise: nil)
                self.goOn()
            case .failure(let error): self.pause("\(error)")
            }
        }
    }

    private func sendNext(to connection: any LiveWorkerConnection) {
        timer?.cancel()
        if madeCount >= Self.picturesPerProcess {
            end("it has done its work")
            return goOn()
        }
        guard let wish = waiting.popFirst() else {
            timer = eventLoop.scheduleTask(in: Self.idleTime) { [weak self] in self?.end("nothing is wanted") }
            return
        }
        waitingByteCount -= wish.frame.bytes.readableBytes
        var buffer = connection.channel.allocator.buffer(capacity: wish.frame.bytes.readableBytes + 16)
        guard PictureWorkerMessage.write(wish.frame, into: &buffer) else {
            wish.promise.fail(PictureError.notDecodable("it has \(wish.frame.bytes.readableBytes) bytes"))
            return sendNext(to: connection)
        }
        current = wish
        connection.channel.writeAndFlush(buffer, promise: nil)
        timer = eventLoop.scheduleTask(in: Self.pictureTime) { [weak self] in self?.lose("a picture took too long") }
    }

    private func handle(_ event: PictureWorkerHandler.Event, of generation: Int) {
        guard generation == self.generation, case .running(let connection) = phase else { return }
        switch event {
        case .answer(let answer):
            if case .failed(let reason) = answer { return lose(reason) }
            guard let wish = current else { return lose("it sent an unexpected answer") }
            current = nil
            madeCount += 1
            if madeCount >= Self.trialCount { lossCount = 0 }
            if case .picture(let bytes) = answer { wish.promise.succeed(bytes) }
            if case .refused(let reason) = answer { wish.promise.fail(PictureError.notDecodable(reason)) }
            let earned = Self.processorTimeAtOnce + Self.processorTimePerPicture * madeCount
            if let used = connection.processorTime(), used > earned {
                return lose("it uses more processor time than its pictures can need")
            }
            sendNext(to: connection)
        case .damaged(let reason): lose("it sent \(reason)")
        case .closed: lose("it ended")
        }
    }

    /// Ends the process, if there is one.
    private func end(_ reason: String) {
        timer?.cancel()
        generation += 1
        if case .running(let connection) = phase { _ = connection.end() }
        phase = .idle
        current?.promise.fail(PictureError.workerLost(reason))
        current = nil
    }

    private func lose(_ reason: String) {
        end(reason)
        pause(reason)
    }

    /// Waits before the next process is started. What waits fails, so that nobody waits for a worker that never starts.
    private func pause(_ reason: String) {
        phase = .pausing
        failAll(.workerLost(reason))
        let pause = min(Self.longestPause, Self.shortestPause * (1 << min(lossCount, 16)))
        lossCount += 1
        timer = eventLoop.scheduleTask(in: pause) { [weak self] in
            guard let self, !self.isOver else { return }
            self.phase = .idle
            self.goOn()
        }
    }

    private func failAll(_ error: PictureError) {
        for wish in waiting { wish.promise.fail(error) }
        (waiting, waitingByteCount) = ([], 0)
    }
}
