import NIOCore

/// Limits the processor time that all threads of a live worker may use: at most ``Limits/secondsAtOnce`` in any
/// interval, plus what the media that it decodes can need.
///
/// A regular worker decodes and encodes on one thread, and sleeps while it has no unit to process. A compromised worker
/// could answer every unit and use the processor for something else. What it decodes can need no more than
/// - ``Limits/secondsPerMediaSecond`` for each second of media,
/// - the time during which a unit was waiting for its answer, and
/// - for video, what frames of that size take on the slowest machines.
///
/// A worker that delays its answers and claims large frames can still use one processor, as a regular worker does for
/// frames of that size.
struct LiveWorkerProcessorBudget {
    struct Limits: Sendable, Hashable {
        var secondsPerMediaSecond: Double
        var secondsAtOnce: Double
        /// `nil` for audio.
        var perFrame: FrameLimits?
        /// Factor between the time in which the worker had units and what its threads may use of it. It also bears the
        /// difference between the worker's time and its time as seen from here.
        var secondsPerBusySecond = 1.25

        /// One busy thread just keeps up with its media; units beyond that are dropped.
        static let video = Limits(secondsPerMediaSecond: 1.25, secondsAtOnce: 10, perFrame: .standard)
        /// Audio takes a hundredth of a processor, and on the slowest machines a tenth.
        static let audio = Limits(secondsPerMediaSecond: 0.25, secondsAtOnce: 10)

        /// A thread for the decoder and one for each quality. They work on after a unit has been answered, so the time
        /// in which the worker had units says nothing.
        static func ladder(rungCount: Int) -> Limits {
            Limits(
                secondsPerMediaSecond: 1.25 * Double(rungCount + 1), secondsAtOnce: 10,
                perFrame: FrameLimits(
                    secondsPerMediaSecond: 1, secondsPerMegapixel: FrameLimits.standard.secondsPerMegapixel),
                secondsPerBusySecond: .infinity)
        }
    }

    /// The processor time that the size of frames justifies.
    struct FrameLimits: Sendable, Hashable {
        /// Seconds for each second of media, whatever comes of it: units that cannot be decoded, frames that are not
        /// shown.
        var secondsPerMediaSecond: Double
        var secondsPerMegapixel: Double

        /// Decoding VP8 and encoding H.264 takes about 0.015 s per megapixel on a server's processor.
        static let standard = FrameLimits(secondsPerMediaSecond: 0.25, secondsPerMegapixel: 0.1)
    }

    private let limits: Limits
    private var left: Double
    private var lastTime: NIODeadline
    /// The processor time used at the last check.
    private var used = TimeAmount.zero
    /// The presentation time of the last decoded unit, in seconds; `nil` before the first.
    private var lastPresentationTime: Double?
    /// The duration of the media decoded since the last check, according to its timestamps, in seconds.
    private var decodedSeconds = 0.0
    /// The time since the last check during which the worker had units to process, in seconds.
    private var busySeconds = 0.0
    /// The time from which on the worker has had units to process; `nil` if it has none.
    private var busySince: NIODeadline?
    /// The size of the frames that the worker has sent since the last check.
    private var megapixels = 0.0

    init(_ limits: Limits, now: NIODeadline) {
        self.limits = limits
        left = limits.secondsAtOnce
        lastTime = now
    }

    /// Records whether the worker has units to process.
    mutating func note(isBusy: Bool, now: NIODeadline) {
        if let busySince { busySeconds += Self.seconds(now - busySince) }
        busySince = isBusy ? now : nil
    }

    /// Records that the worker has decoded a unit.
    mutating func noteDecoded(_ presentationTime: Double) {
        if let lastPresentationTime { decodedSeconds += max(0, presentationTime - lastPresentationTime) }
        lastPresentationTime = presentationTime
    }

    /// Records that the worker has sent a frame.
    ///
    /// - Parameter area: width times height, as the worker says.
    mutating func noteFrame(area: Int) { megapixels += Double(area) / 1e6 }

    /// Checks the worker's use of processor time.
    ///
    /// - Parameter total: the processor time used since the worker's start.
    /// - Returns: false if it has used too much.
    mutating func covers(_ total: TimeAmount, now: NIODeadline) -> Bool {
        note(isBusy: busySince != nil, now: now)
        // The publisher chooses the timestamps, so media counts at most as fast as real time.
        let mediaSeconds = min(decodedSeconds, Self.seconds(now - lastTime))
        var earned = mediaSeconds * limits.secondsPerMediaSecond
        if limits.secondsPerBusySecond.isFinite { earned = min(earned, busySeconds * limits.secondsPerBusySecond) }
        if let perFrame = limits.perFrame {
            earned = min(
                earned, mediaSeconds * perFrame.secondsPerMediaSecond + megapixels * perFrame.secondsPerMegapixel)
        }
        left = min(limits.secondsAtOnce, left + earned) - Self.seconds(total - used)
        (lastTime, used, decodedSeconds, busySeconds, megapixels) = (now, total, 0, 0, 0)
        return left >= 0
    }

    private static func seconds(_ time: TimeAmount) -> Double { Double(max(0, time.nanoseconds)) / 1e9 }
}
