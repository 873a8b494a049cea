import CLibAV
import Dispatch
import Glibc
package import LibAV
import MediaCore
import Synchronization

/// Captures and encodes on threads of its own, and passes on what an RTSP connection publishes. It never waits for the
/// receiver of its output.
package final class BroadcastCapture: Sendable {
    private let control: BroadcastControl
    private let threads = DispatchGroup()

    /// The seconds to wait for threads on closing: a device that delivers nothing must not hold up the caller; its
    /// thread ends when it wakes.
    private static let maximumClosingTime = Duration.seconds(2)

    /// Starts a capture. Returns when its sources have been opened, which may take seconds.
    ///
    /// - Parameters:
    ///   - source: What to capture.
    ///   - encoding: How to encode what is not copied.
    ///   - preview: The preview to produce; `nil` for none.
    ///   - clock: The clock that paces sources without one of their own.
    ///   - emit: Called on the capture's threads, from several at once; must not block.
    /// - Throws: `LibAVError` if a device or file cannot be opened, or the encoder is missing.
    package init(
        _ source: BroadcastSource, encoding: BroadcastEncoding, preview: PreviewRequest? = nil,
        clock: BroadcastClock = .monotonic, emit: @escaping @Sendable ([BroadcastOutput]) -> Void
    ) throws(LibAVError) {
        try LibAVRuntime.load()
        control = BroadcastControl(videoBitRate: encoding.videoBitRate)
        control.preview = preview
        let plan = CapturePlan(encoding: encoding, clock: clock, control: control, emitAll: emit)
        let jobs = try plan.jobs(for: source)
        let gate = OutputGate(count: jobs.count, control: control, emit: emit)
        for job in jobs {
            threads.enter()
            let hasStarted = MediaThread.start(name: job.name) { [threads] in
                antena_av_quiet_this_thread()
                gate.finish(job.run())
                threads.leave()
            }
            guard hasStarted else {
                threads.leave()
                control.stop()
                throw LibAVError(.outOfMemory, file: nil, "cannot start a thread for the capture")
            }
        }
    }

    deinit { control.stop() }

    /// Sets the bit rate in bits per second from the next frame on; has no effect on copied video.
    package func setVideoBitRate(_ rate: Int) { control.videoBitRate = rate }

    /// Sets which previews are wanted; `nil` for none.
    package func setPreview(_ request: PreviewRequest?) { control.preview = request }

    /// The counts since the start.
    package var statistics: BroadcastCaptureStatistics { control.statistics }

    /// Ends the capture and waits for its threads; frames that the encoders still hold are passed on before this
    /// returns.
    package func close() {
        control.stop()
        _ = threads.wait(timeout: .now() + .milliseconds(Int(Self.maximumClosingTime.wholeMilliseconds)))
    }
}

/// Reports the end once, when all threads have ended or one has failed.
private final class OutputGate: Sendable {
    private let remaining: Mutex<Int>
    private let control: BroadcastControl
    private let emit: @Sendable ([BroadcastOutput]) -> Void

    init(count: Int, control: BroadcastControl, emit: @escaping @Sendable ([BroadcastOutput]) -> Void) {
        remaining = Mutex(count)
        self.control = control
        self.emit = emit
    }

    func finish(_ error: LibAVError?) {
        // Interrupting a device's reading is not a failure.
        let isFailure = error != nil && !control.shouldStop
        let isLast = remaining.withLock { count in
            guard count > 0 else { return false }
            count = isFailure ? 0 : count - 1
            return count == 0
        }
        guard isLast else { return }
        if let error, isFailure {
            control.stop()
            emit([.failed(error)])
        } else {
            emit([.ended])
        }
    }
}
