import BoardDrawing
import CLibAV
import Codecs
import Glibc
import LibAV
import MediaCore
import NIOCore

/// The work of a live worker that makes a channel's ladder: one decoder, and an encoder for each quality.
final class LiveLadderWorker {
    /// The niceness of the worker: the channel itself, and what its viewers see of it, go before.
    static let niceness: Int32 = 5
    /// Key frames that the decoder holds back at most.
    private static let maximumAwaitedGroupCount = 64
    /// The longest distance of two frames from which a frame rate is learned, in seconds.
    private static let maximumFrameSeconds = 1.0

    private let request: LiveLadderRequest
    private let pipe: LiveWorkerPipe
    private let output: LadderOutput
    private let decoder: LiveDecoder
    private let rungs: [LiveRungEncoder]
    /// The presentation times of the key frames that the decoder has not returned yet.
    private var awaitedGroups: [Int64] = []
    private var lastTime: Int64?
    /// Pictures before this time are not encoded, because a former worker has encoded them or they would come too late.
    private var resumeTime: Int64?
    private var frameRate = FrameRateEstimate()
    private var rotation = FrameRotation.none
    /// The first picture, until the second one tells the frame rate.
    private var first: LiveRungEncoder.Picture?
    private var damage = DamageRun()
    /// The states of the scoreboard, oldest first, and the dates of frames, by which they are shown.
    private var boards: [DatedBoard] = []
    private var dates: FrameDates?
    private let boardRung: Int?

    /// Writes what the threads of the encoders make.
    ///
    /// `@unchecked Sendable`: guarded by a mutex.
    private final class LadderOutput: @unchecked Sendable {
        private let pipe: LiveWorkerPipe
        private let mutex: UnsafeMutablePointer<pthread_mutex_t>

        init(_ pipe: LiveWorkerPipe) {
            self.pipe = pipe
            mutex = .allocate(capacity: 1)
            pthread_mutex_init(mutex, nil)
        }

        func write(_ answer: LiveWorkerAnswer) {
            pthread_mutex_lock(mutex)
            pipe.write(answer)
            pthread_mutex_unlock(mutex)
        }
    }

    /// - Parameters:
    ///   - hardware: the device of the encoder, opened before the confinement.
    ///   - boardProblem: why no scoreboard can be drawn; `nil` if it can, or if none was asked for.
    init(
        _ request: LiveLadderRequest, pipe: LiveWorkerPipe, hardware: HardwareContext?, boardProblem: String? = nil
    ) throws(LibAVError) {
        (self.request, self.pipe) = (request, pipe)
        boardRung = boardProblem == nil ? request.boardRung : nil
        decoder = try LiveDecoder(
            .init(video: request.codec), timescale: request.timescale, limits: .ladder, hasLowDelay: false)
        let kind = try LadderEncoder(named: request.encoder)
        let output = LadderOutput(pipe)
        var made: [LiveRungEncoder] = []
        for (index, rung) in request.rungs.enumerated().reversed() {
            made.append(
                LiveRungEncoder(
                    rung, timescale: request.timescale, encoder: kind, hardware: hardware,
                    drawsBoard: index == boardRung, next: made.last
                ) { outcome in
                    switch outcome {
                    case .configuration(let configuration):
                        output.write(.rung(index, .configuration(.h264(configuration), request.timescale)))
                    case .unit(let unit): output.write(.rung(index, .unit(unit)))
                    case .boardMissing(let reason): output.write(.boardMissing(reason))
                    case .failed(let error): output.write(.output(.failed(error.description)))
                    }
                })
        }
        if let boardProblem { output.write(.boardMissing(boardProblem)) }
        self.output = output
        rungs = made.reversed()
    }

    /// Encodes until the input ends.
    ///
    /// - Returns: the exit status of the worker.
    func run() -> Int32 {
        antena_av_quiet_this_thread()
        for rung in rungs where !rung.start() {
            output.write(.output(.failed("cannot start the threads of the ladder")))
            return 1
        }
        defer { for rung in rungs { rung.end() } }
        do throws(LibAVError) {
            while let message = pipe.readRequest() {
                switch message {
                case .unit(let unit):
                    try decode(unit)
                    output.write(.consumed)
                case .adjust(let adjustment):
                    try adjust(adjustment)
                    output.write(.adjusted(adjustment))
                case .resume(let time): resumeTime = time
                case .boards(let new): boards = new
                case .dates(let new): dates = new
                case .begin, .beginLadder, .beginPictures: return 2
                }
            }
        } catch {
            output.write(.output(.failed(error.description)))
            return 1
        }
        return 0
    }

    private func adjust(_ adjustment: LiveLadderAdjustment) throws(LibAVError) {
        // The first hands on to the second, and so on.
        for rung in rungs { rung.rest() }
        for (rung, rate) in zip(rungs, adjustment.bitRates) { try rung.adjust(to: rate) }
    }

    private func decode(_ unit: AccessUnit) throws(LibAVError) {
        guard case .frame(let payload) = unit.payload, payload.readableBytes > 0,
            unit.hasPlausibleTimes(request.timescale)
        else { return try damage.note("is empty or has an implausible time") }
        if unit.isRandomAccessPoint {
            damage.isWaiting = false
            awaitedGroups.append(unit.presentationTime)
            if awaitedGroups.count > Self.maximumAwaitedGroupCount { awaitedGroups.removeFirst() }
        }
        let problem = try decoder.decode(payload, at: unit.presentationTime, decodeTime: unit.decodeTime) {
            frame throws(LibAVError) in
            if !damage.isWaiting { try accept(frame) }
        }
        if let problem { return try damage.note(problem) }
        damage.noteIntact()
    }

    private func accept(_ frame: Frame) throws(LibAVError) {
        guard let time = frame.presentationTime ?? frame.bestEffortTime else { return }
        // Damaged streams repeat frames or go back in time.
        if let lastTime, time <= lastTime { return }
        lastTime = time
        let beginsGroup = awaitedGroups.contains(time)
        awaitedGroups.removeAll { $0 <= time }
        frameRate.note(time, beginsGroup: beginsGroup, request.timescale)
        // Streams tell it with their key frames.
        if beginsGroup { rotation = FrameRotation(of: frame) }
        if let resumeTime, time < resumeTime { return }
        let resumes = resumeTime != nil
        resumeTime = nil
        let progressive = try frame.progressive()
        let picture = LiveRungEncoder.Picture(
            source: progressive, best: progressive, time: time, beginsGroup: beginsGroup || resumes,
            storedHeight: frame.height,
            rotation: rotation, frameRate: frameRate.value ?? 0, board: board(at: time))
        guard frameRate.value != nil else {
            first = picture
            return
        }
        if var first {
            first.frameRate = picture.frameRate
            rungs.first?.submit(first)
            self.first = nil
        }
        rungs.first?.submit(picture)
    }

    /// The scoreboard as it was when the frame was captured.
    private func board(at time: Int64) -> BoardText? {
        guard boardRung != nil, let date = dates?.date(of: time, request.timescale) else { return nil }
        return boards.board(at: date)?.text(at: date)
    }

    /// The source's frame rate: the usual distance of frames in the group before, and in the first group that of its
    /// first two. Frames that are missing do not count.
    private struct FrameRateEstimate {
        private(set) var value: Double?
        private var lastTime: Int64?
        private var distances: [Int64] = []

        /// Distances of a group that are looked at: two seconds at 60 frames a second.
        private static let maximumDistanceCount = 120

        mutating func note(_ time: Int64, beginsGroup: Bool, _ timescale: Timescale) {
            if let lastTime, distances.count < Self.maximumDistanceCount { distances.append(time - lastTime) }
            lastTime = time
            guard beginsGroup || value == nil, !distances.isEmpty else { return }
            let usual = Double(distances.sorted()[distances.count / 2]) / Double(timescale.ticksPerSecond)
            if usual <= LiveLadderWorker.maximumFrameSeconds { value = 1 / usual }
            distances = []
        }
    }

    /// Counts groups of pictures in a row of which nothing could be decoded. Frames after a damaged one are left out up
    /// to the next key frame.
    private struct DamageRun {
        var isWaiting = false
        private var count = 0
        private var first = ""

        /// Groups after which the ladder gives up: a minute without a picture that could be decoded.
        private static let maximumGroupCount = 30

        mutating func note(_ reason: String) throws(LibAVError) {
            guard !isWaiting else { return }
            isWaiting = true
            if count == 0 { first = reason }
            count += 1
            guard count < Self.maximumGroupCount else {
                throw LibAVError(
                    .damaged, file: "the ladder", "\(count) groups in a row could not be decoded; the first \(first)")
            }
        }

        mutating func noteIntact() { if !isWaiting { count = 0 } }
    }
}
