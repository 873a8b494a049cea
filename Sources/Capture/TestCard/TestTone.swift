import CLibAV
import Glibc
import LibAV

/// A tone of 1 kHz at -18 dBFS in both channels, silent for a tenth of each second: the alignment level of studios (EBU
/// R 68), with pauses for comparing audio and video. Belongs to one thread.
struct TestTone {
    private static let sampleRate = 48_000
    private static let frequency = 1_000.0
    private static let level: Float = 0.125_892_54
    private static let pieceSampleCount = 1_024
    private static let silentSamplesPerSecond = 4_800

    let encoder: BroadcastAudioEncoder
    let clock: BroadcastClock
    let control: BroadcastControl
    /// The start of the capture on the clock.
    let origin: Int64

    /// Encodes the tone until the capture is stopped.
    func run() throws(LibAVError) {
        var layout = AVChannelLayout()
        libav.av_channel_layout_default(&layout, 2)
        var count = 0
        while true {
            let time = Int64(count) * 1_000_000 / Int64(Self.sampleRate)
            guard clock.wait(until: origin + time, control) else { break }
            // The program was stopped, or the machine asleep: the missed time is skipped.
            let lateness = clock.now() - origin - time
            if lateness > Punctuality.maximumLatenessMicroseconds {
                count += Int(lateness) * Self.sampleRate / 1_000_000 / Self.pieceSampleCount * Self.pieceSampleCount
                continue
            }
            let frame = try Frame.silence(
                sampleCount: Int32(Self.pieceSampleCount), format: AV_SAMPLE_FMT_FLTP,
                sampleRate: Int32(Self.sampleRate), layout: &layout)
            fill(frame, from: count)
            try encoder.encode(frame, at: time)
            count += Self.pieceSampleCount
        }
        try encoder.finish()
    }

    private func fill(_ frame: Frame, from start: Int) {
        for plane in [frame.pointer.pointee.data.0, frame.pointer.pointee.data.1] {
            plane?.withMemoryRebound(to: Float.self, capacity: Self.pieceSampleCount) { samples in
                for index in 0..<Self.pieceSampleCount {
                    let position = (start + index) % Self.sampleRate
                    guard position >= Self.silentSamplesPerSecond else { continue }
                    let phase = 2 * Double.pi * Self.frequency * Double(position) / Double(Self.sampleRate)
                    samples[index] = Self.level * Float(sin(phase))
                }
            }
        }
    }
}
