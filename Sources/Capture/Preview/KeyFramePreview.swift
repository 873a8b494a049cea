import CLibAV
import LibAV

/// Previews of copied video: nothing else decodes it, so only key frames are decoded, and only while previews are
/// wanted. Belongs to one thread.
final class KeyFramePreview {
    private let info: StreamInfo
    private let source: any PacketSource
    private let tap: PreviewTap
    private var decoder: Decoder?
    private var hasFailed = false

    init(_ info: StreamInfo, of source: any PacketSource, tap: PreviewTap) {
        self.info = info
        self.source = source
        self.tap = tap
    }

    /// Shows a frame if a preview is due.
    ///
    /// - Parameters:
    ///   - packet: A key frame.
    ///   - time: The presentation time in microseconds from the start of the capture.
    func show(_ packet: Packet, at time: Int64) {
        guard !hasFailed, tap.isDue(at: time) else { return }
        do throws(LibAVError) {
            let decoder = try readyDecoder()
            // Draining outputs frames at once that reordering would hold back.
            for packet in [packet, nil] {
                try decoder.decode(packet) { frame throws(LibAVError) in try tap.show(frame, at: time) }
            }
            decoder.flush()
        } catch {
            // The broadcast continues without a preview.
            hasFailed = true
        }
    }

    private func readyDecoder() throws(LibAVError) -> Decoder {
        if let decoder { return decoder }
        let made = try Decoder(source.stream(info), codecName: info.codecName, file: source.name, threadCount: 1)
        decoder = made
        return made
    }
}
