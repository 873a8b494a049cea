import CLibAV
import Codecs
import LibAV
import MediaCore
import NIOCore

/// Encodes decoded audio as AAC-LC frames on the source's timeline. Belongs to one thread.
///
/// Samples are counted, and the source's times only correct the count: gaps become silence, audio from before is
/// dropped. If the source's clock jumps, or its audio changes to another rate or number of channels, a new encoder
/// starts at the new time.
final class LiveAudioEncoder: LiveEncoder {
    /// The longest gap in seconds that is filled with silence, as losses and pauses between words leave it. After a
    /// longer gap the source has started something new.
    static let maximumSilenceSeconds: Int64 = 2
    /// The shortest gap that is filled, in milliseconds: less than a lost packet of 20 ms, more than the error of
    /// clocks that round to milliseconds or take the time of sending.
    static let toleratedGapMilliseconds: Int64 = 15
    /// The tolerated overlap in milliseconds, which is more than for gaps: with jittering times the count settles at
    /// the latest of them, and the rest is inaudible.
    static let toleratedOverlapMilliseconds: Int64 = 100
    /// The largest overlap in milliseconds; with a larger one the source has not repeated itself, its clock has been
    /// set back.
    static let maximumOverlapMilliseconds: Int64 = 500
    /// The number of samples in a piece of silence, so that a gap takes no more memory than audio does.
    private static let silentPieceSampleCount: Int64 = 4_096

    private let codec: ForeignCodec
    private let emit: (LibAVLiveTranscoder.Output) -> Void
    private var run: Run?
    private var configuration: AACConfiguration?

    /// The output of one encoder: frames without a gap. Times are in its samples.
    private struct Run {
        var shape: Shape
        var encoder: Encoder
        var resampler: Resampler
        var start: Int64
        /// The time at which the source took on its current rate; ``sourceSampleCount`` counts the samples since.
        var anchor: Int64
        var sourceRate: Int64
        var sourceSampleCount: Int64 = 0

        /// The end of the audio so far.
        var end: Int64 { anchor + sourceSampleCount * Int64(shape.sampleRate) / sourceRate }
    }

    private struct Shape: Hashable {
        var sampleRate: Int
        var channelCount: Int

        /// Chooses a rate that every player supports. Telephony's 8 kHz becomes 48 kHz: an AAC frame at 8 kHz would
        /// last 128 ms, as long as a partial segment, and Apple's players expect at least 22.05 kHz.
        init(_ frame: Frame) {
            let source = Int(frame.pointer.pointee.sample_rate)
            switch source {
            case 32_000, 44_100, 48_000: sampleRate = source
            case 11_025, 22_050, 88_200, 176_400: sampleRate = 44_100
            default: sampleRate = 48_000
            }
            channelCount = min(2, Int(frame.pointer.pointee.ch_layout.nb_channels))
        }

        var timescale: Timescale { Timescale(checking: UInt32(clamping: sampleRate)) ?? Timescale(48_000) }
        /// Bits per second: transparent for speech and for music that MPEG audio has compressed before.
        var bitRate: Int { channelCount > 1 ? 128_000 : 64_000 }
    }

    init(_ codec: ForeignCodec, emit: @escaping (LibAVLiveTranscoder.Output) -> Void) {
        self.codec = codec
        self.emit = emit
    }

    func encode(_ frame: Frame, at time: MediaTime?) throws(LibAVError) {
        let shape = Shape(frame)
        let followed = run.map { MediaTime(value: $0.end, timescale: $0.shape.timescale) }
        let told = (time ?? followed ?? .zero(shape.timescale)).converted(to: shape.timescale).value
        guard let run, run.shape == shape else { return try encodeAfresh(frame, shape, at: told) }
        let rate = Int64(shape.sampleRate)
        switch told - run.end {
        case ..<(-rate * Self.maximumOverlapMilliseconds / 1_000), (rate * Self.maximumSilenceSeconds + 1)...:
            try encodeAfresh(frame, shape, at: told)
        case ..<(-rate * Self.toleratedOverlapMilliseconds / 1_000):
            break
        case (rate * Self.toleratedGapMilliseconds / 1_000)...:
            // Audio after lost packets must be played at its proper time.
            try appendSilence(sampleCount: told - run.end, like: frame)
            try append(frame, at: nil)
        default:
            try append(frame, at: nil)
        }
    }

    // MARK: Runs

    private func encodeAfresh(_ frame: Frame, _ shape: Shape, at start: Int64) throws(LibAVError) {
        try finishRun()
        try beginRun(shape, sourceRate: frame.pointer.pointee.sample_rate, at: start)
        try append(frame, at: start)
    }

    private func beginRun(_ shape: Shape, sourceRate: Int32, at start: Int64) throws(LibAVError) {
        let encoder = try Encoder.aac(
            sampleRate: shape.sampleRate, channelCount: shape.channelCount, bitRate: shape.bitRate, file: codec.name)
        let resampler = try Resampler(encoder, file: codec.name)
        run = Run(
            shape: shape, encoder: encoder, resampler: resampler, start: start, anchor: start,
            sourceRate: max(1, Int64(sourceRate)))
        let made = try encoder.aacConfiguration(file: codec.name)
        guard made != configuration else { return }
        configuration = made
        emit(.configuration(.aac(made), shape.timescale))
    }

    private func finishRun() throws(LibAVError) {
        guard let finished = run else { return }
        try finished.resampler.finish { samples throws(LibAVError) in try encode(samples) }
        try encode(nil)
        run = nil
    }

    // MARK: Samples

    /// Appends silence in the format of a frame.
    ///
    /// - Parameter sampleCount: The number of samples at the encoder's rate.
    private func appendSilence(sampleCount: Int64, like frame: Frame) throws(LibAVError) {
        guard let run else { return }
        var left = sampleCount * Int64(frame.pointer.pointee.sample_rate) / Int64(run.shape.sampleRate)
        while left > 0 {
            let count = min(left, Self.silentPieceSampleCount)
            let silence = try Frame.silence(
                sampleCount: Int32(clamping: count), format: AVSampleFormat(frame.pointer.pointee.format),
                sampleRate: frame.pointer.pointee.sample_rate, layout: &frame.pointer.pointee.ch_layout)
            try append(silence, at: nil)
            left -= count
        }
    }

    /// Appends a frame.
    ///
    /// - Parameter start: The start time for the first frame of a run; `nil` for all others.
    private func append(_ frame: Frame, at start: Int64?) throws(LibAVError) {
        guard var run else { return }
        let sourceRate = Int64(frame.pointer.pointee.sample_rate)
        if sourceRate != run.sourceRate {
            (run.anchor, run.sourceRate, run.sourceSampleCount) = (run.end, max(1, sourceRate), 0)
        }
        run.sourceSampleCount += Int64(frame.pointer.pointee.nb_samples)
        self.run = run
        try run.resampler.convert(frame, at: start) { samples throws(LibAVError) in try encode(samples) }
    }

    private func encode(_ samples: Frame?) throws(LibAVError) {
        guard let run else { return }
        try run.encoder.encode(samples) { packet throws(LibAVError) in
            // The encoder's delay is skipped: its first frame only primes decoders for the first sample.
            guard let time = packet.presentationTime, time >= run.start else { return }
            let payload = SamplePayload.frame(ByteBuffer(bytes: packet.bytes))
            emit(
                .unit(AccessUnit(decodeTime: time, presentationTime: time, isRandomAccessPoint: true, payload: payload))
            )
        }
    }
}
