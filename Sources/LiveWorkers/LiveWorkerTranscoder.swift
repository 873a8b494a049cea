import BoardDrawing
import Codecs
import DequeModule
import LiveChannels
import MediaCore
import NIOCore
import Synchronization
import Transcoding

/// Transcodes in a worker process, which is restarted after an increasing pause when it ends.
///
/// `@unchecked Sendable`: `backlog` has a lock; all other mutable state is confined to `eventLoop`.
final class LiveWorkerTranscoder: LiveTranscoder, @unchecked Sendable {
    /// The worker's output, and news of the worker itself.
    enum Event: Sendable {
        /// Output of the track, or the failure of the work.
        case output(LibAVLiveTranscoder.Output)
        /// Output of a quality of a ladder.
        case rung(Int, LibAVLiveTranscoder.Output)
        /// The worker encodes a ladder from now on as it was told.
        case adjusted(LiveLadderAdjustment)
        /// The worker draws no scoreboard, for this reason.
        case boardMissing(String)
        /// The worker is done with the unit that is presented at this time.
        case consumed(Int64)
        /// The worker ended for this reason, and starts again.
        case interrupted(String)
    }

    /// Limit of units that a worker has received but not answered.
    static let maximumUnansweredUnitCount = 16
    /// Time after which a worker that has not answered a unit is considered stuck; the longest frame takes a fraction
    /// of a second.
    static let maximumSilence = Duration.seconds(15)
    static let shortestPause = Duration.milliseconds(250)
    static let longestPause = Duration.seconds(30)
    /// Running time after which the next pause is the shortest again.
    static let trialTime = Duration.seconds(60)
    private static let watchInterval = Duration.seconds(3)

    private let job: LiveWorkerJob
    private let eventLoop: any EventLoop
    private let launcher: any LiveWorkerLauncher
    private let onEvent: @Sendable (Event) -> Void
    private let backlog: Mutex<LiveUnitBacklog>
    private let processorLimits: LiveWorkerProcessorBudget.Limits
    private let maximumFrameArea: Int

    // The following properties are confined to the event loop.
    private var connection: (any LiveWorkerConnection)?
    /// The number of the current worker; events of former workers are ignored.
    private var generation = 0
    private var lastAnswer = NIODeadline.uptimeNanoseconds(0)
    private var startedAt = NIODeadline.uptimeNanoseconds(0)
    private var restartCount = 0
    private var budget: LiveWorkerBudget
    private var processorBudget: LiveWorkerProcessorBudget
    /// Width times height of the worker's frames, as it says, of each quality; zero before its first configuration, and
    /// for audio.
    private var frameAreas: [Int]
    /// The message for a ladder's worker before the next key frame.
    private var adjustment: LiveLadderAdjustment?
    private var mustAdjust = false
    /// The scoreboard and the dates by which it is shown, which each worker is told again.
    private var boards: [DatedBoard] = []
    private var dates: FrameDates?
    /// The presentation times of the unanswered units, in order.
    private var unansweredTimes: Deque<Int64> = []
    private var watch: RepeatedTask?
    private var isOver = false
    /// True if the last worker was ended because of its processor time; its running time then does not shorten the next
    /// pause.
    private var isWasteful = false

    /// - Parameter onEvent: called on the event loop, in order.
    init(
        _ job: LiveWorkerJob, limits: LiveTranscodingLimits? = nil,
        processorLimits: LiveWorkerProcessorBudget.Limits? = nil, on eventLoop: any EventLoop,
        launcher: any LiveWorkerLauncher, onEvent: @escaping @Sendable (Event) -> Void
    ) {
        self.job = job
        self.eventLoop = eventLoop
        self.launcher = launcher
        self.onEvent = onEvent
        let limits = limits ?? job.limits
        backlog = Mutex(
            LiveUnitBacklog(limits: limits, dropsUntilRandomAccess: job.isVideo, keepsGroup: job.rungCount > 0))
        maximumFrameArea = limits.maximumFrameArea
        frameAreas = Array(repeating: 0, count: max(1, job.rungCount))
        budget = LiveWorkerBudget(now: .uptimeNanoseconds(0))
        self.processorLimits = processorLimits ?? job.processorLimits
        processorBudget = LiveWorkerProcessorBudget(self.processorLimits, now: .uptimeNanoseconds(0))
        eventLoop.execute { [weak self] in self?.launch() }
    }

    deinit {
        watch?.cancel()
        guard let connection else { return }
        eventLoop.execute { _ = connection.end() }
    }

    func send(_ unit: AccessUnit) -> Bool {
        switch backlog.withLock({ $0.append(unit) }) {
        case .queued(let mustSchedule):
            if mustSchedule { eventLoop.execute { [weak self] in self?.flush() } }
            return true
        case .awaitingRecovery: return true
        case .dropped: return false
        }
    }

    /// Tells the worker of a ladder what to encode from the next key frame on. Call it on the event loop.
    func adjust(_ adjustment: LiveLadderAdjustment) {
        eventLoop.assertInEventLoop()
        (self.adjustment, mustAdjust) = (adjustment, true)
    }

    /// Tells the worker of a ladder the states of the scoreboard. Call it on the event loop.
    func show(_ boards: [DatedBoard]) {
        eventLoop.assertInEventLoop()
        self.boards = boards
        tellWorker(.boards(boards))
    }

    /// Tells the worker of a ladder the dates of its frames. Call it on the event loop.
    func setDates(_ dates: FrameDates) {
        eventLoop.assertInEventLoop()
        self.dates = dates
        tellWorker(.dates(dates))
    }

    private func tellWorker(_ request: LiveWorkerRequest) {
        guard let channel = connection?.channel, channel.isActive else { return }
        write(request, to: channel)
        channel.flush()
    }

    func close() {
        backlog.withLock { $0.close() }
        eventLoop.execute { self.finish() }
    }

    // MARK: Workers come and go

    private func launch() {
        guard !isOver else { return }
        generation += 1
        let number = generation
        launcher.launch(on: eventLoop) { [weak self] in LiveWorkerHandler(transcoder: self, generation: number) }
            .whenComplete { [weak self, eventLoop] result in
                eventLoop.assertInEventLoop()
                switch result {
                case .success(let connection):
                    guard let self, !self.isOver else {
                        _ = connection.end()
                        return
                    }
                    self.begin(connection)
                case .failure(let error): self?.pauseAndLaunch("\(error)")
                }
            }
    }

    private func begin(_ connection: any LiveWorkerConnection) {
        self.connection = connection
        (unansweredTimes, startedAt, lastAnswer) = ([], eventLoop.now, eventLoop.now)
        budget = LiveWorkerBudget(now: eventLoop.now)
        processorBudget = LiveWorkerProcessorBudget(processorLimits, now: eventLoop.now)
        frameAreas = frameAreas.map { _ in 0 }
        mustAdjust = adjustment != nil
        guard connection.channel.isActive else { return lose(nil) }
        write(job.request, to: connection.channel)
        if !boards.isEmpty { write(.boards(boards), to: connection.channel) }
        if let dates { write(.dates(dates), to: connection.channel) }
        if let time = backlog.withLock({ $0.replayGroup() }) { write(.resume(at: time), to: connection.channel) }
        connection.channel.flush()
        watch = eventLoop.scheduleRepeatedTask(
            initialDelay: TimeAmount(Self.watchInterval), delay: TimeAmount(Self.watchInterval)
        ) {
            [weak self] _ in self?.checkProgress()
        }
        flush()
    }

    private func checkProgress() {
        if !unansweredTimes.isEmpty, eventLoop.now - lastAnswer > TimeAmount(Self.maximumSilence) {
            return lose("it has made no progress for \(Self.maximumSilence.components.seconds) s")
        }
        guard let used = connection?.processorTime(), !processorBudget.covers(used, now: eventLoop.now) else { return }
        isWasteful = true
        lose("it uses more processor time than the media it decodes can need")
    }

    /// Handles the loss of a worker.
    ///
    /// - Parameter reason: the reason; `nil` uses the worker's exit status.
    private func lose(_ reason: String?) {
        guard let connection else { return }
        detach()
        let lasted = eventLoop.now - startedAt
        if lasted >= TimeAmount(Self.trialTime), !isWasteful { restartCount = 0 }
        isWasteful = false
        backlog.withLock { $0.beginRecovery() }
        connection.end().whenComplete { [weak self] result in
            self?.pauseAndLaunch(reason ?? (try? result.get()) ?? "it ended")
        }
    }

    private func detach() {
        connection = nil
        generation += 1
        watch?.cancel()
        watch = nil
    }

    private func pauseAndLaunch(_ reason: String) {
        guard !isOver else { return }
        onEvent(.interrupted(reason))
        let pause = min(
            TimeAmount(Self.longestPause), TimeAmount(Self.shortestPause * (1 << min(restartCount, 16))))
        restartCount += 1
        eventLoop.scheduleTask(in: pause) { [weak self] in self?.launch() }
    }

    /// Stops for good.
    private func finish() {
        isOver = true
        guard let connection else { return }
        detach()
        _ = connection.end()
    }

    // MARK: Units and what is made of them

    private func flush() {
        backlog.withLock { $0.noteTaken() }
        guard let channel = connection?.channel else { return }
        while unansweredTimes.count < Self.maximumUnansweredUnitCount, channel.isWritable,
            let unit = backlog.withLock({ $0.popFirst() })
        {
            if unansweredTimes.isEmpty {
                lastAnswer = eventLoop.now
                processorBudget.note(isBusy: true, now: lastAnswer)
            }
            unansweredTimes.append(unit.presentationTime)
            if mustAdjust, unit.isRandomAccessPoint, let adjustment {
                mustAdjust = false
                write(.adjust(adjustment), to: channel)
            }
            write(.unit(unit), to: channel)
        }
        channel.flush()
    }

    private func write(_ request: LiveWorkerRequest, to channel: any Channel) {
        var buffer = channel.allocator.buffer(capacity: 256)
        request.write(into: &buffer)
        channel.write(buffer, promise: nil)
    }

    func handler(_ event: LiveWorkerHandler.Event, of generation: Int) {
        eventLoop.assertInEventLoop()
        guard generation == self.generation, connection != nil else { return }
        switch event {
        case .answer(let answer, let byteCount):
            guard budget.take(byteCount: byteCount, now: eventLoop.now) else {
                return lose("it sends more than a live track can hold")
            }
            receive(answer)
        case .writable: flush()
        case .damaged(let reason): lose("it sent \(reason)")
        case .closed: lose(nil)
        }
    }

    private func receive(_ answer: LiveWorkerAnswer) {
        switch answer {
        case .consumed:
            guard let time = unansweredTimes.popFirst() else { return lose("it sent an unexpected answer") }
            lastAnswer = eventLoop.now
            processorBudget.note(isBusy: !unansweredTimes.isEmpty, now: lastAnswer)
            processorBudget.noteDecoded(MediaTime(value: time, timescale: job.timescale).seconds)
            onEvent(.consumed(time))
            flush()
        case .output(.failed(let reason)), .rung(_, .failed(let reason)):
            onEvent(.output(.failed(reason)))
            backlog.withLock { $0.close() }
            finish()
        case .output(let output):
            note(output, rung: 0)
            onEvent(.output(output))
        case .rung(let index, let output):
            note(output, rung: index)
            onEvent(.rung(index, output))
        case .adjusted(let adjustment): onEvent(.adjusted(adjustment))
        case .boardMissing(let reason): onEvent(.boardMissing(reason))
        }
    }

    private func note(_ output: LibAVLiveTranscoder.Output, rung: Int) {
        guard frameAreas.indices.contains(rung) else { return }
        switch output {
        case .configuration(let configuration, _):
            frameAreas[rung] =
                configuration.videoSize.map { $0.width.multipliedReportingOverflow(by: $0.height) }
                .map { $0.overflow ? 0 : min(max(0, $0.partialValue), maximumFrameArea) } ?? 0
        case .unit:
            backlog.withLock { $0.endRecovery() }
            processorBudget.noteFrame(area: frameAreas[rung])
        case .failed: break
        }
    }

    /// The answers that the worker may give.
    var expectation: LiveWorkerAnswer.Expectation { .init(isVideo: job.isVideo, rungCount: job.rungCount) }
}

extension LiveWorkerTranscoder {
    /// Transcodes one track.
    ///
    /// - Parameter onOutput: called on the event loop, in order.
    convenience init(
        codec: ForeignCodec, timescale: Timescale, limits: LiveTranscodingLimits? = nil,
        processorLimits: LiveWorkerProcessorBudget.Limits? = nil, on eventLoop: any EventLoop,
        launcher: any LiveWorkerLauncher, onOutput: @escaping @Sendable (LiveTranscoderOutput) -> Void
    ) {
        self.init(
            .track(codec, timescale), limits: limits, processorLimits: processorLimits, on: eventLoop,
            launcher: launcher
        ) { event in
            switch event {
            case .output(.configuration(let configuration, let timescale)):
                onOutput(.configuration(configuration, timescale))
            case .output(.unit(let unit)): onOutput(.unit(unit))
            case .output(.failed(let reason)): onOutput(.failed(reason))
            case .interrupted(let reason): onOutput(.interrupted(reason))
            case .rung, .adjusted, .boardMissing, .consumed: break
            }
        }
    }
}
