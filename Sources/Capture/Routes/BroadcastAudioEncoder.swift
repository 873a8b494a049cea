import CLibAV
import Codecs
import LibAV
import MediaCore
import NIOCore

/// Encodes audio as AAC-LC at a preset's rate. Belongs to one thread.
final class BroadcastAudioEncoder {
    private static let maximumChannelCount = 2

    private let bitRate: Int
    private let name: String
    private let followsDrift: Bool
    private let emit: (BroadcastOutput) -> Void
    private var run: Run?

    private struct Run {
        var encoder: Encoder
        var resampler: Resampler
        var timescale: Timescale
        /// The time of the first sample; packets before it are the encoder's delay.
        var start: Int64
    }

    /// Creates an encoder, which opens with the first frame.
    ///
    /// - Parameter followsDrift: True for a device, which counts samples by a clock of its own.
    init(
        _ encoding: BroadcastEncoding, name: String, followsDrift: Bool = false,
        emit: @escaping (BroadcastOutput) -> Void
    ) {
        bitRate = encoding.audioBitRate
        self.name = name
        self.followsDrift = followsDrift
        self.emit = emit
    }

    /// Encodes a frame.
    ///
    /// - Parameter time: The presentation time in microseconds from the start of the capture.
    func encode(_ frame: Frame, at time: Int64) throws(LibAVError) {
        if run == nil { try beginRun(like: frame, at: time) }
        guard let run else { return }
        let rate = Int64(run.timescale.ticksPerSecond)
        try run.resampler.convert(frame, at: time * rate / 1_000_000) { samples throws(LibAVError) in
            try encode(samples)
        }
    }

    /// Drains the encoder.
    func finish() throws(LibAVError) {
        guard let run else { return }
        try run.resampler.finish { samples throws(LibAVError) in try encode(samples) }
        try encode(nil)
        self.run = nil
    }

    private func beginRun(like frame: Frame, at time: Int64) throws(LibAVError) {
        let sampleRate = frame.pointer.pointee.sample_rate == 44_100 ? 44_100 : 48_000
        let channelCount = min(Self.maximumChannelCount, max(1, Int(frame.pointer.pointee.ch_layout.nb_channels)))
        let encoder = try Encoder.aac(
            sampleRate: sampleRate, channelCount: channelCount, bitRate: bitRate, file: name)
        let timescale = Timescale(UInt32(sampleRate))
        run = Run(
            encoder: encoder, resampler: try Resampler(encoder, file: name, followsDrift: followsDrift),
            timescale: timescale, start: time * Int64(sampleRate) / 1_000_000)
        emit(.configuration(.aac(try encoder.aacConfiguration(file: name)), timescale))
    }

    private func encode(_ samples: Frame?) throws(LibAVError) {
        guard let run else { return }
        try run.encoder.encode(samples) { packet throws(LibAVError) in
            guard let time = packet.presentationTime, time >= run.start else { return }
            let payload = SamplePayload.frame(ByteBuffer(bytes: packet.bytes))
            emit(
                .unit(
                    .audio,
                    AccessUnit(decodeTime: time, presentationTime: time, isRandomAccessPoint: true, payload: payload)))
        }
    }
}
