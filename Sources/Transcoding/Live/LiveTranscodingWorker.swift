import CLibAV
import Codecs
import Glibc
import LibAV
import MediaCore
import NIOCore

/// The work of a transcoder's thread, from start to end.
final class LiveTranscodingWorker {
    private let codec: ForeignCodec
    private let timescale: Timescale
    private let limits: LiveTranscodingLimits
    private let queue: any LiveUnitSource
    private let onOutput: @Sendable (LibAVLiveTranscoder.Output) -> Void
    private var damagedUnitRun = 0
    private var firstDamage = ""
    /// True if frames are withheld until the next random access point, because they depend on a damaged one.
    private var needsRandomAccess = false

    init(
        codec: ForeignCodec, timescale: Timescale, limits: LiveTranscodingLimits, queue: any LiveUnitSource,
        onOutput: @escaping @Sendable (LibAVLiveTranscoder.Output) -> Void
    ) {
        self.codec = codec
        self.timescale = timescale
        self.limits = limits
        self.queue = queue
        self.onOutput = onOutput
    }

    /// Transcodes until the source ends. Call it once, on a thread of its own.
    func runOnThisThread() {
        antena_av_quiet_this_thread()
        run()
        queue.end()
    }

    private func run() {
        do throws(LibAVError) {
            try LibAVRuntime.load()
            try codec.requireLibAVSupport()
            let decoder = try LiveDecoder(LiveDecoder.Format(codec), timescale: timescale, limits: limits)
            let emit: (LibAVLiveTranscoder.Output) -> Void = { [queue, onOutput] output in
                queue.deliver { onOutput(output) }
            }
            let encoder: any LiveEncoder =
                codec.isVideo
                ? LiveVideoEncoder(codec, timescale: timescale, emit: emit) : LiveAudioEncoder(codec, emit: emit)
            while let unit = queue.next() { try transcode(unit, decoder, encoder) }
        } catch {
            queue.deliver { onOutput(.failed(error.description)) }
        }
        queue.close()
    }

    private func transcode(_ unit: AccessUnit, _ decoder: LiveDecoder, _ encoder: any LiveEncoder) throws(LibAVError) {
        guard let payload = payload(of: unit) else {
            return try noteDamage("is empty, too large or has an implausible time")
        }
        if unit.isRandomAccessPoint { needsRandomAccess = false }
        let isShown = !needsRandomAccess
        let time = MediaTime(value: unit.presentationTime, timescale: timescale)
        let damage = try decoder.decode(payload, at: unit.presentationTime) { frame throws(LibAVError) in
            guard isShown else { return }
            let told = frame.presentationTime.map { MediaTime(value: $0, timescale: timescale) }
            try encoder.encode(frame, at: codec.isVideo ? told ?? time : told)
        }
        if let damage { return try noteDamage(damage) }
        damagedUnitRun = 0
    }

    /// Returns the unit's bytes, or `nil` for a unit that no decoder should see: libav takes an empty packet for the
    /// end of the stream, and implausible times would overflow its sums.
    private func payload(of unit: AccessUnit) -> ByteBuffer? {
        guard case .frame(let payload) = unit.payload, payload.readableBytes > 0,
            codec.isVideo || payload.readableBytes <= limits.maximumAudioUnitByteCount,
            unit.hasPlausibleTimes(timescale)
        else { return nil }
        return payload
    }

    private func noteDamage(_ reason: String) throws(LibAVError) {
        queue.noteDamagedUnit()
        needsRandomAccess = codec.isVideo
        // Later units may only miss the first one, so its reason is reported.
        if damagedUnitRun == 0 { firstDamage = reason }
        damagedUnitRun += 1
        guard damagedUnitRun < limits.maximumDamagedUnitRun else {
            throw LibAVError(
                .damaged, file: codec.name,
                "\(damagedUnitRun) units in a row could not be decoded; the first one \(firstDamage)")
        }
    }
}
