import BoardDrawing
import CLibAV
import Codecs
import Glibc
import LibAV
import MediaCore
import NIOCore

/// Makes one quality of a live ladder, on a thread of its own, and hands pictures on to the next smaller one.
///
/// A picture is scaled from the next larger quality, and handed on before it is encoded, so that all qualities are
/// encoded at the same time.
///
/// `@unchecked Sendable`: the queue is guarded by a mutex; everything else belongs to the encoder's thread, or to the
/// worker's while the encoder is at rest.
final class LiveRungEncoder: @unchecked Sendable {
    /// A decoded picture on its way through the ladder.
    struct Picture {
        /// The picture as decoded, progressive.
        var source: Frame
        /// The smallest version so far.
        var best: Frame
        /// The presentation time.
        var time: Int64
        var beginsGroup: Bool
        /// The size of the stored picture before one field was taken of it.
        var storedHeight: Int
        var rotation: FrameRotation
        /// The source's frames per second.
        var frameRate: Double
        /// The scoreboard that belongs to the picture; `nil` for none.
        var board: BoardText?
    }

    /// The output of an encoder, or the reason why there is no more.
    enum Output {
        case configuration(H264Configuration)
        case unit(AccessUnit)
        /// No scoreboard is drawn any more, for this reason.
        case boardMissing(String)
        case failed(LibAVError)
    }

    /// Pictures that wait for the thread: 0.13 s at 30 frames a second. More would only add delay.
    private static let maximumQueuedPictureCount = 4
    /// The distance between key frames in frames that no source reaches: they are where the source has them.
    private static let maximumGroupFrameCount: Int32 = 100_000
    /// Factor by which the frame rate may exceed the quality's; see the ladder of titles.
    private static let frameRateTolerance = 1.3
    private static let file = "the ladder"

    private let rung: LiveLadderRequest.Rung
    private let timescale: Timescale
    private let kind: LadderEncoder
    private let hardware: HardwareContext?
    private let next: LiveRungEncoder?
    private let drawsBoard: Bool
    private let emit: @Sendable (Output) -> Void

    // Guarded by the mutex.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let changed: UnsafeMutablePointer<pthread_cond_t>
    private var queue: [Picture] = []
    private var isWorking = false
    private var isEnded = false

    // The thread's own.
    private var bitRate: Int
    private let scaler = Scaler(file: LiveRungEncoder.file)
    private let repacker = Scaler(file: LiveRungEncoder.file)
    private var selection: FrameSelection?
    private var run: Run?
    private var configuration: H264Configuration?
    private var painter = BoardPainter()

    /// The output of one encoder.
    private struct Run {
        var size: LiveRungSize
        var tags: ColorTags
        var encoder: Encoder
        var frames: HardwareFrames?
        /// The frames per second by which the encoder spends its bits.
        var frameRate: Double
        var bitRate: Int
        /// The origin of the encoder's times, which keeps them small.
        var start: Int64

        /// Whether the encoder spends about the right bits. An encoder for another frame rate has other parameters,
        /// which players see as a discontinuity; a bit rate is no parameter, and x264 follows a new one for a minute
        /// only slowly.
        func serves(_ other: Double, bitRate: Int) -> Bool {
            (0.6...1.7).contains(other / frameRate) && bitRate == self.bitRate
        }
    }

    /// - Parameters:
    ///   - drawsBoard: whether the scoreboard is drawn into the pictures.
    ///   - next: the next smaller quality, which gets pictures without it.
    ///   - emit: called on the encoder's thread.
    init(
        _ rung: LiveLadderRequest.Rung, timescale: Timescale, encoder kind: LadderEncoder, hardware: HardwareContext?,
        drawsBoard: Bool = false, next: LiveRungEncoder?, emit: @escaping @Sendable (Output) -> Void
    ) {
        (self.rung, self.timescale, self.kind, self.hardware) = (rung, timescale, kind, hardware)
        (self.drawsBoard, self.next, self.emit) = (drawsBoard, next, emit)
        bitRate = rung.bitRate
        mutex = .allocate(capacity: 1)
        changed = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(changed, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        pthread_cond_destroy(changed)
        mutex.deallocate()
        changed.deallocate()
    }

    /// Starts the thread.
    ///
    /// - Returns: false if the system has no more threads.
    func start() -> Bool { MediaThread.start(name: "live-rung") { [self] in runOnThisThread() } }

    // MARK: From other threads

    /// Hands over a picture; waits while the queue is full.
    func submit(_ picture: Picture) {
        pthread_mutex_lock(mutex)
        while queue.count >= Self.maximumQueuedPictureCount, !isEnded { pthread_cond_wait(changed, mutex) }
        if !isEnded { queue.append(picture) }
        pthread_cond_broadcast(changed)
        pthread_mutex_unlock(mutex)
    }

    /// Waits until everything that was handed over is done. Nothing may be handed over meanwhile.
    func rest() {
        pthread_mutex_lock(mutex)
        while !queue.isEmpty || isWorking { pthread_cond_wait(changed, mutex) }
        pthread_mutex_unlock(mutex)
    }

    /// Sets the bit rate, or ends the encoder (0). Call it while the encoder is at rest, before a key frame.
    func adjust(to bitRate: Int) throws(LibAVError) {
        self.bitRate = bitRate
        if bitRate == 0 { try finishRun() }
    }

    /// Ends the thread.
    func end() {
        pthread_mutex_lock(mutex)
        isEnded = true
        queue = []
        pthread_cond_broadcast(changed)
        pthread_mutex_unlock(mutex)
    }

    // MARK: On the thread

    private func runOnThisThread() {
        antena_av_quiet_this_thread()
        if drawsBoard {
            painter.warmUp()
            if let problem = painter.problem { emit(.boardMissing(problem)) }
        }
        while let picture = takeFirst() {
            do throws(LibAVError) {
                try process(picture)
            } catch {
                emit(.failed(error))
                end()
            }
            pthread_mutex_lock(mutex)
            isWorking = false
            pthread_cond_broadcast(changed)
            pthread_mutex_unlock(mutex)
        }
    }

    private func takeFirst() -> Picture? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while queue.isEmpty, !isEnded { pthread_cond_wait(changed, mutex) }
        guard !isEnded else { return nil }
        isWorking = true
        let first = queue.removeFirst()
        pthread_cond_broadcast(changed)
        return first
    }

    private func process(_ picture: Picture) throws(LibAVError) {
        var picture = picture
        guard bitRate > 0, isKept(picture) else {
            next?.submit(picture)
            return
        }
        let size = LiveRungSize(
            rung, frameWidth: picture.source.width, frameHeight: picture.storedHeight,
            pixelRatio: picture.source.pointer.pointee.sample_aspect_ratio.positive?.value ?? 1,
            rotation: picture.rotation)
        let tags = ColorTags(picture.source).scaled
        let isOther = run?.size != size || run?.tags != tags
        // A new encoder begins with a key frame, which must be one of the source's.
        if isOther || run.map({ !$0.serves(frameRate(of: picture), bitRate: bitRate) }) ?? true, picture.beginsGroup {
            try finishRun()
            try beginRun(size, tags, at: picture)
        } else if isOther {
            next?.submit(picture)
            return
        }
        let swapped = picture.rotation.swapsSides
        let (width, height) = swapped ? (size.height, size.width) : (size.width, size.height)
        let isLargeEnough = picture.best.width >= width && picture.best.height >= height
        let scaled = try scaler.scale(
            isLargeEnough ? picture.best : picture.source, width: width, height: height, format: AV_PIX_FMT_YUV420P)
        picture.best = scaled
        next?.submit(picture)
        try encode(scaled, of: picture, size)
    }

    /// Whether the quality has this picture. The source's frame rate is divided by an integer, so that the remaining
    /// frames are as evenly spaced as before.
    private func isKept(_ picture: Picture) -> Bool {
        if picture.beginsGroup || selection == nil {
            selection = FrameSelection(
                frameRate: frameRate(of: picture), ticksPerSecond: Double(timescale.ticksPerSecond))
        }
        return selection?.keeps(picture.time, beginsGroup: picture.beginsGroup) ?? true
    }

    private func frameRate(of picture: Picture) -> Double {
        let rate = max(1, picture.frameRate)
        return rate / max(1, (rate / (rung.frameRate * Self.frameRateTolerance)).rounded(.up))
    }

    private func encode(_ scaled: Frame, of picture: Picture, _ size: LiveRungSize) throws(LibAVError) {
        guard let run else { return }
        // A separate reference, because each encoder sets its own times and frame types.
        let upright = try picture.rotation == .none ? scaled.reference() : picture.rotation.apply(to: scaled)
        var frame = try withBoard(upright, of: picture)
        if let frames = run.frames {
            let packed = try repacker.scale(
                frame, width: size.width, height: size.height, format: HardwareFrames.uploadFormat)
            frame = try frames.upload(packed)
        }
        frame.presentationTime = picture.time - run.start
        frame.pointer.pointee.color_range = AVCOL_RANGE_MPEG
        frame.pointer.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
        frame.pointer.pointee.pict_type = picture.beginsGroup ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE
        try encode(frame)
    }

    /// The picture with its scoreboard, in buffers of its own: the smaller qualities share the others.
    private func withBoard(_ upright: Frame, of picture: Picture) throws(LibAVError) -> Frame {
        guard drawsBoard, let run, let board = picture.board, painter.problem == nil else { return upright }
        let frame = try picture.rotation == .none ? Frame.copy(of: upright) : upright
        painter.draw(board, onto: frame, matrix: run.tags.matrix)
        if let problem = painter.problem { emit(.boardMissing(problem)) }
        return frame
    }

    private func encode(_ frame: Frame?) throws(LibAVError) {
        guard let run else { return }
        try run.encoder.encode(frame, from: run.start) { emit(.unit($0)) }
    }

    private func beginRun(_ size: LiveRungSize, _ tags: ColorTags, at picture: Picture) throws(LibAVError) {
        let rate = frameRate(of: picture)
        let frames = try hardware?.makeFrames(width: size.width, height: size.height)
        let encoder = try Encoder(name: kind.name, options: kind.liveOptions, file: Self.file) { context in
            context.pointee.width = Int32(clamping: size.width)
            context.pointee.height = Int32(clamping: size.height)
            context.pointee.pix_fmt = AV_PIX_FMT_YUV420P
            context.pointee.time_base = AVRational(num: 1, den: Int32(clamping: timescale.ticksPerSecond))
            context.pointee.framerate = AVRational(num: Int32(clamping: Int((rate * 1_000).rounded())), den: 1_000)
            context.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
            context.pointee.gop_size = Self.maximumGroupFrameCount
            context.pointee.max_b_frames = 0
            context.pointee.color_range = AVCOL_RANGE_MPEG
            tags.apply(to: context)
            context.pointee.thread_count = 1
            context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER | Int32(bitPattern: AV_CODEC_FLAG_CLOSED_GOP)
            context.pointee.level = H264Level.lowest(
                width: size.width, height: size.height, frameRate: rate,
                bitRate: kind.rateCap(average: rung.bitRate).maximum)
            let cap = kind.rateCap(average: bitRate)
            context.pointee.bit_rate = Int64(bitRate)
            context.pointee.rc_max_rate = Int64(cap.maximum)
            context.pointee.rc_buffer_size = Int32(clamping: cap.buffer)
            hardware?.attach(to: context, frames: frames)
        }
        run = Run(
            size: size, tags: tags, encoder: encoder, frames: frames, frameRate: rate,
            bitRate: bitRate, start: picture.time)
        let made = try encoder.h264Configuration(file: Self.file)
        guard made != configuration else { return }
        configuration = made
        emit(.configuration(made))
    }

    private func finishRun() throws(LibAVError) {
        guard run != nil else { return }
        try encode(nil)
        run = nil
    }
}
