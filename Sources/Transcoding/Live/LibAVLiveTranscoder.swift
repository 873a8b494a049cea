package import Codecs
import Glibc
package import LibAV
package import MediaCore

/// Decodes a publisher's `ForeignCodec` stream and encodes it as AAC-LC or H.264, on a thread of its own.
///
/// Memory is bounded by ``LiveTranscodingLimits``: the queue, and the frames of one decoder and encoder.
package final class LibAVLiveTranscoder: Sendable {
    /// The output of the transcoder, in order.
    package enum Output: Sendable {
        /// The configuration of the units that follow, sent before the first unit and after each change. Unit times
        /// count in the timescale: the sample rate for AAC, the source's own for H.264.
        case configuration(CodecConfiguration, Timescale)
        /// An encoded frame.
        case unit(AccessUnit)
        /// The last output: the stream cannot be transcoded any further. Holds a human-readable reason.
        case failed(String)
    }

    let queue: LiveUnitQueue

    /// Starts a transcoder. Returns at once, so that it can be called on an event loop: the first one in a process
    /// loads libav, which takes some 30 ms, on its own thread. If libav or one of its codecs is missing, `onOutput`
    /// gets ``Output/failed(_:)``.
    ///
    /// - Parameters:
    ///   - codec: The codec of the units.
    ///   - timescale: The timescale of the units' times.
    ///   - limits: Limits of the work.
    ///   - onOutput: Called on the transcoder's thread, in order. It must not wait for a caller of ``close()``.
    /// - Throws: `LibAVError` if the source's parameters are implausible.
    package init(
        codec: ForeignCodec,
        timescale: Timescale,
        limits: LiveTranscodingLimits = .standard,
        onOutput: @escaping @Sendable (Output) -> Void
    ) throws(LibAVError) {
        try codec.requirePlausibleShape()
        queue = LiveUnitQueue(limits: limits, dropsUntilRandomAccess: codec.isVideo)
        let worker = LiveTranscodingWorker(
            codec: codec, timescale: timescale, limits: limits, queue: queue, onOutput: onOutput)
        guard MediaThread.start(name: "live-transcode", run: { worker.runOnThisThread() }) else {
            throw LibAVError(.outOfMemory, file: codec.name, "cannot start a thread to transcode it")
        }
    }

    deinit { queue.close() }

    /// Queues a unit. Never blocks.
    ///
    /// - Returns: False if the unit was dropped: because the queue is full, because it is a video frame that needs one
    ///   that was dropped, or because the transcoder has failed or is closed.
    package func send(_ unit: AccessUnit) -> Bool { queue.append(unit) }

    /// Ends the transcoder and drops queued units: no output arrives after this has returned.
    ///
    /// Waits only for an output that is being delivered, and not even for that when called from within the delivery.
    /// The thread frees everything as soon as its current unit is done.
    package func close() { queue.close() }

    /// The counts of units so far.
    package var statistics: LiveTranscodingStatistics { queue.statistics }
}
