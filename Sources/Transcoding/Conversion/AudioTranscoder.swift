import CLibAV
import LibAV

/// Transcodes audio to AAC-LC, mono or stereo, at the source's sample rate if HLS players accept it.
final class AudioTranscoder: TrackConverter {
    /// The sample rates that every AAC decoder supports; other rates become 48 kHz.
    private static let sampleRates: Set<Int> = [8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000]

    private let writer: MovieWriter
    private let track: Int
    private let decoder: Decoder
    private let encoder: Encoder
    private let resampler: Resampler
    private let source: AVRational

    /// - Parameters:
    ///   - bitRate: The average bit rate of two channels, in bits per second; `nil` for the usual one.
    init(
        _ stream: UnsafeMutablePointer<AVStream>, info: StreamInfo, writer: MovieWriter, file: String,
        bitRate: Int? = nil
    ) throws(LibAVError) {
        self.writer = writer
        guard let sampleRate = info.sampleRate, let channelCount = info.channelCount else {
            throw LibAVError(.damaged, file: file, "does not state the sample rate of its audio")
        }
        source = stream.pointee.time_base
        decoder = try Decoder(stream, codecName: info.codecName, file: file, threadCount: 1)
        encoder = try Encoder.aac(
            sampleRate: Self.sampleRates.contains(sampleRate) ? sampleRate : 48_000,
            channelCount: min(channelCount, 2), bitRate: bitRate.map { channelCount > 1 ? $0 : $0 * 3 / 4 },
            file: file)
        resampler = try Resampler(encoder, file: file)
        track = try writer.addTrack(encoder, from: stream)
    }

    var decodedNothing: Bool { decoder.frameCount == 0 }

    func accept(_ packet: Packet?) throws(LibAVError) {
        try decoder.decode(packet) { frame throws(LibAVError) in
            let time = (frame.bestEffortTime ?? frame.presentationTime).map {
                rescale($0, from: source, to: encoder.timeBase)
            }
            try resampler.convert(frame, at: time) { samples throws(LibAVError) in try encode(samples) }
        }
        guard packet == nil else { return }
        try resampler.finish { samples throws(LibAVError) in try encode(samples) }
        try encode(nil)
    }

    private func encode(_ samples: Frame?) throws(LibAVError) {
        try encoder.encode(samples) { packet throws(LibAVError) in
            try writer.write(packet, track: track, timeBase: encoder.timeBase)
        }
    }
}
