import BoardDrawing
import Codecs
import DequeModule
import LiveChannels
import MediaCore
import NIOCore
import Synchronization
import Transcoding

/// Makes the ladder of one push in a worker process, and decides which of its qualities are encoded.
///
/// `@unchecked Sendable`: `sent` has a lock; all other mutable state is confined to `eventLoop`.
final class LiveLadderTranscoder: LiveLadder, @unchecked Sendable {
    private static let checkInterval = TimeAmount.seconds(1)
    /// Checks after which slots are asked for again that others had.
    private static let slotCheckCount = 10
    /// The time that a worker has to catch up.
    private static let catchUpTime = TimeAmount.seconds(10)
    /// Units whose arrival is remembered: more than a worker and its queue hold.
    private static let maximumSentCount = 256

    private let eventLoop: any EventLoop
    private let slots: TranscodingSlots
    private let presets: [Int]
    private let boardRung: Int?
    private let onOutput: @Sendable (LiveLadderOutput) -> Void
    private let sent: Mutex<Sent>

    // The following properties are confined to the event loop.
    private var worker: LiveWorkerTranscoder?
    private var governor: LadderGovernor
    private var sourceRates: [Int]
    /// The number of qualities, from the cheapest on, that have slots.
    private var grantedCount = 0
    private var isWatched = true
    /// The bit rates that the worker was last told.
    private var rates: [Int]
    private var states: [LiveRungState]
    private var longestDelay = TimeAmount.zero
    /// The time at which the worker began with what had waited for it; `nil` once it has caught up. Its delay until
    /// then says nothing about the machine.
    private var catchesUpSince: NIODeadline?
    private var checkCount = 0
    private var check: RepeatedTask?
    private var isOver = false
    private var boards: [DatedBoard] = []
    private var dates: FrameDates?
    private var hasToldOfBoard = false

    /// The state that is shared with the publisher's event loop.
    private struct Sent {
        var units: Deque<(time: Int64, at: NIODeadline)> = []
        /// False while no quality is encoded, and nothing has to be sent. The first unit comes before the worker.
        var isAwake = true
        /// True after a pause, until a unit comes with which the decoder can begin again.
        var waitsForKeyFrame = false
        /// True if the queue had no room for a unit since the last check.
        var hasLost = false
        var rate = SourceRate()
    }

    /// - Parameters:
    ///   - request: what to encode; the largest quality first.
    ///   - onOutput: called on the event loop, in order.
    init(
        _ request: LiveLadderRequest, slots: TranscodingSlots, on eventLoop: any EventLoop,
        launcher: any LiveWorkerLauncher, onOutput: @escaping @Sendable (LiveLadderOutput) -> Void
    ) {
        (self.eventLoop, self.slots, self.onOutput) = (eventLoop, slots, onOutput)
        presets = request.rungs.map(\.bitRate)
        boardRung = request.boardRung
        sourceRates = presets
        rates = presets.map { _ in 0 }
        states = presets.map { _ in .asleep }
        governor = LadderGovernor(rungCount: presets.count)
        sent = Mutex(Sent())
        worker = nil
        eventLoop.execute { [self] in start(request, launcher) }
    }

    private func start(_ request: LiveLadderRequest, _ launcher: any LiveWorkerLauncher) {
        guard !isOver else { return }
        worker = LiveWorkerTranscoder(.ladder(request), on: eventLoop, launcher: launcher) { [weak self] event in
            self?.receive(event)
        }
        if !boards.isEmpty { worker?.show(boards) }
        if let dates { worker?.setDates(dates) }
        grantedCount = slots.take(presets.count)
        catchesUpSince = eventLoop.now
        check = eventLoop.scheduleRepeatedTask(initialDelay: Self.checkInterval, delay: Self.checkInterval) {
            [weak self] _ in self?.checkLoad()
        }
        apply()
    }

    // MARK: From the publisher's event loop

    func send(_ unit: AccessUnit, _ configuration: CodecConfiguration) {
        let now = eventLoop.now
        let isWanted = sent.withLock { sent in
            sent.rate.add(byteCount: unit.payload.byteCount)
            guard sent.isAwake, !sent.waitsForKeyFrame || unit.isRandomAccessPoint else { return false }
            sent.waitsForKeyFrame = false
            if sent.units.count >= Self.maximumSentCount { sent.units.removeFirst() }
            sent.units.append((unit.presentationTime, now))
            return true
        }
        guard isWanted, let payload = unit.byteStream(configuration) else { return }
        let converted = AccessUnit(
            decodeTime: unit.decodeTime, presentationTime: unit.presentationTime,
            isRandomAccessPoint: unit.isRandomAccessPoint, payload: .frame(payload))
        eventLoop.execute { [self] in
            guard let worker, !isOver else { return }
            if !worker.send(converted) { sent.withLock { $0.hasLost = true } }
        }
    }

    func setWatched(_ isWatched: Bool) {
        eventLoop.execute { [self] in
            guard self.isWatched != isWatched, !isOver else { return }
            self.isWatched = isWatched
            apply()
        }
    }

    func show(_ boards: [DatedBoard]) {
        guard boardRung != nil else { return }
        let newest = Array(boards.suffix(DatedBoard.maximumCount))
        eventLoop.execute { [self] in
            guard !isOver, newest != self.boards else { return }
            self.boards = newest
            worker?.show(newest)
        }
    }

    func setDate(_ date: WallClockTime, at time: Int64) {
        guard boardRung != nil else { return }
        let dates = FrameDates(time: time, date: date)
        eventLoop.execute { [self] in
            guard !isOver else { return }
            self.dates = dates
            worker?.setDates(dates)
        }
    }

    func close() {
        sent.withLock { $0.isAwake = false }
        eventLoop.execute { [self] in finish() }
    }

    private func finish() {
        guard !isOver else { return }
        isOver = true
        check?.cancel()
        check = nil
        worker?.close()
        slots.giveBack(grantedCount)
        grantedCount = 0
    }

    // MARK: What is encoded

    private func state(of index: Int) -> LiveRungState {
        if index < governor.droppedCount { return .dropped }
        if index < presets.count - grantedCount { return .withoutSlot }
        return isWatched ? .encoded : .asleep
    }

    /// Tells the worker what to encode from the next key frame on.
    private func apply() {
        let wanted = presets.indices.map { state(of: $0) == .encoded ? sourceRates[$0] : 0 }
        let isAwake = wanted.contains { $0 > 0 }
        sent.withLock { sent in
            if isAwake, !sent.isAwake { (sent.units, sent.waitsForKeyFrame) = ([], true) }
            sent.isAwake = isAwake
        }
        if wanted != rates {
            rates = wanted
            worker?.adjust(LiveLadderAdjustment(bitRates: wanted))
        }
        // A quality that is encoded from now on is told of when the worker has begun with it, and one that no longer is
        // when the worker has ended it; nothing comes from a worker that gets nothing any more.
        if !isAwake { tell() } else { tell { $0 != .encoded && states[$1] != .encoded } }
    }

    private func tell(where condition: (LiveRungState, Int) -> Bool = { _, _ in true }) {
        for index in presets.indices {
            let state = state(of: index)
            guard state != states[index], condition(state, index) else { continue }
            states[index] = state
            onOutput(.state(rung: index, state))
        }
    }

    private func receive(_ event: LiveWorkerTranscoder.Event) {
        guard !isOver else { return }
        switch event {
        case .rung(let index, .configuration(let configuration, _)) where presets.indices.contains(index):
            onOutput(.configuration(rung: index, configuration))
        case .rung(let index, .unit(let unit)) where presets.indices.contains(index):
            onOutput(.unit(rung: index, unit))
        case .adjusted(let adjustment):
            if adjustment.bitRates == rates { tell() }
        case .boardMissing(let reason):
            // A worker that is started again has the same problem.
            guard !hasToldOfBoard else { return }
            hasToldOfBoard = true
            onOutput(.boardMissing(reason))
        case .consumed(let time): note(time)
        case .interrupted(let reason):
            sent.withLock { $0.units = [] }
            catchesUpSince = eventLoop.now
            onOutput(.interrupted(reason))
        case .output(.failed(let reason)), .rung(_, .failed(let reason)):
            finish()
            sent.withLock { $0.isAwake = false }
            onOutput(.failed(reason))
        case .rung, .output: break
        }
    }

    private func note(_ time: Int64) {
        let now = eventLoop.now
        let arrival = sent.withLock { sent -> NIODeadline? in
            // A worker that has been restarted gets units again that are not waited for any more.
            guard let index = sent.units.firstIndex(where: { $0.time == time }) else { return nil }
            defer { sent.units.removeFirst(index + 1) }
            return sent.units[index].at
        }
        guard let arrival else { return }
        let delay = now - arrival
        if catchesUpSince != nil {
            if delay <= LadderGovernor.comfortableDelay { catchesUpSince = nil }
        } else {
            longestDelay = max(longestDelay, delay)
        }
    }

    private func checkLoad() {
        let now = eventLoop.now
        let (oldest, hasLost, rate) = sent.withLock { sent in
            defer { sent.hasLost = false }
            let rate = sent.rate.measure(now: now) ? sent.rate : nil
            return (sent.isAwake ? sent.units.first?.at : nil, sent.hasLost, rate)
        }
        var delay = longestDelay
        if let oldest { delay = max(delay, now - oldest) }
        if hasLost { delay = max(delay, LadderGovernor.maximumDelay + .nanoseconds(1)) }
        longestDelay = .zero
        if let since = catchesUpSince, now - since < Self.catchUpTime { delay = .zero } else { catchesUpSince = nil }
        var mustApply = governor.note(delay: delay, now: now)
        if let rate {
            sourceRates = rate.bitRates(presets, current: sourceRates, apart: boardRung)
            mustApply = true
        }
        checkCount += 1
        if checkCount.isMultiple(of: Self.slotCheckCount), grantedCount < presets.count {
            let more = slots.take(presets.count - grantedCount)
            grantedCount += more
            mustApply = mustApply || more > 0
        }
        if mustApply { apply() }
    }
}

extension AccessUnit {
    /// The unit in the form in which a decoder takes it: NAL units with start codes, key frames with the parameter sets
    /// in front; `nil` for codecs of which no ladder is made.
    fileprivate func byteStream(_ configuration: CodecConfiguration) -> ByteBuffer? {
        if isRandomAccessPoint { return KeyFrame(self, configuration)?.bytes }
        switch payload {
        case .nalUnits(let units):
            var bytes = ByteBuffer()
            for unit in units {
                bytes.writeBytes([0, 0, 0, 1])
                unit.write(into: &bytes)
            }
            return bytes
        case .frame(let frame): return frame
        }
    }
}
