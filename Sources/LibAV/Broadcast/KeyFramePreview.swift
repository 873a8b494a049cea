import CLibAV

/// Previews of pictures that are copied: nothing else decodes them, so key frames alone are, and only while somebody
/// wants to see them. Belongs to one thread.
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

    /// - Parameters:
    ///   - packet: of a key frame.
    ///   - time: microseconds from the start of the capture.
    func show(_ packet: Packet, at time: Int64) {
        guard !hasFailed, tap.isDue(at: time) else { return }
        do throws(LibAVError) {
            let decoder = try readyDecoder()
            // What reordering holds back comes at once.
            for packet in [packet, nil] {
                try decoder.decode(packet) { frame throws(LibAVError) in try tap.show(frame, at: time) }
            }
            decoder.flush()
        } catch {
            // What is sent needs no preview.
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
