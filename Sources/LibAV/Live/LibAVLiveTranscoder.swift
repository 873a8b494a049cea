package import Codecs
import Glibc
package import MediaCore

/// Decodes what a publisher sends in a ``ForeignCodec`` and encodes it as AAC-LC or H.264, on a thread of its own.
///
/// Memory is bounded by ``LiveTranscodingLimits``: the queue, and the pictures or samples of one decoder and encoder.
package final class LibAVLiveTranscoder: Sendable {
    package enum Output: Sendable {
        /// Before the first unit, and again where it changes; holds for the units that follow, whose times count in
        /// the timescale: the sample rate for AAC, the source's own for H.264.
        case configuration(CodecConfiguration, Timescale)
        case unit(AccessUnit)
        /// The last output: nothing more can be made of this source. For people.
        case failed(String)
    }

    let queue: LiveUnitQueue

    /// Returns at once, so that it can be called on an event loop: the first one in a process loads libav, which takes
    /// some 30 ms, and does so on its thread. Where libav or one of its codecs is missing, `onOutput` is told.
    ///
    /// - Parameters:
    ///   - timescale: of the units' times.
    ///   - onOutput: Called on the transcoder's thread, in order. It must not wait for whoever calls ``close()``.
    /// - Throws: where the source's parameters make no sense.
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
            throw LibAVError(.outOfMemory, file: codec.name, "no thread could be started to transcode it")
        }
    }

    deinit { queue.close() }

    /// Queues the unit. Never blocks.
    ///
    /// - Returns: false where the unit was dropped: because the queue is full, because it is a picture that needs one
    ///   that was dropped, or because the transcoder has failed or is closed.
    package func send(_ unit: AccessUnit) -> Bool { queue.append(unit) }

    /// Ends the transcoder and drops what waits: no output comes after this has returned.
    ///
    /// Waits only for an output that is being handed over, and not even for that when called from there. The thread
    /// frees everything as soon as the unit in its hands is done.
    package func close() { queue.close() }

    package var statistics: LiveTranscodingStatistics { queue.statistics }
}
