import CLibAV
import LibAV

/// Copies audio frames, with times counted in samples so that a container's rounding does not stay in the durations.
final class AudioCopier: TrackConverter {
    /// The largest rounding error of containers, in seconds; beyond it a frame is really elsewhere.
    private static let toleratedSeconds = 0.03

    private let writer: MovieWriter
    private let track: Int
    private let source: AVRational
    private let samples: AVRational
    private let frameLength: AudioFrameLength
    private var nextTime: Int64?

    init(_ stream: UnsafeMutablePointer<AVStream>, writer: MovieWriter) throws(LibAVError) {
        self.writer = writer
        source = stream.pointee.time_base
        let parameters = stream.pointee.codecpar.pointee
        samples = AVRational(num: 1, den: max(1, parameters.sample_rate))
        frameLength = AudioFrameLength(parameters)
        track = try writer.addCopy(of: stream, timeBase: samples)
    }

    func accept(_ packet: Packet?) throws(LibAVError) {
        guard let packet else { return }
        let told = (packet.presentationTime ?? packet.decodeTime).map { rescale($0, from: source, to: samples) }
        var time = told ?? nextTime ?? 0
        if let next = nextTime {
            let tolerated = Int64(Double(samples.den) * Self.toleratedSeconds)
            time = abs(time - next) <= tolerated ? next : max(time, next)
        }
        let frameSampleCount = frameLength.sampleCount(
            of: UnsafeBufferPointer(start: packet.pointer.pointee.data, count: Int(packet.pointer.pointee.size)),
            duration: rescale(max(0, packet.duration), from: source, to: samples))
        nextTime = time + frameSampleCount
        packet.presentationTime = time
        packet.decodeTime = time
        packet.duration = frameSampleCount
        try writer.write(packet, track: track, timeBase: samples)
    }
}
