import CLibAV
import Codecs
import LibAV
import MediaCore
import NIOCore

/// Copies AAC frames.
final class AudioCopyingRoute: BroadcastRoute {
    private let timeBase: AVRational
    private let timescale: Timescale
    private let emit: (BroadcastOutput) -> Void

    /// Emits the stream's configuration.
    ///
    /// - Returns: `nil` if the stream is not AAC that RTP carries as it is.
    init?(_ info: StreamInfo, of source: any PacketSource, emit: @escaping (BroadcastOutput) -> Void) {
        let stream = source.stream(info)
        let parameters = stream.pointee.codecpar.pointee
        let header = UnsafeRawBufferPointer(
            start: parameters.extradata, count: max(0, Int(parameters.extradata_size)))
        guard parameters.codec_id == AV_CODEC_ID_AAC,
            let configuration = try? AACConfiguration(parsingAudioSpecificConfig: Array(header)),
            let timescale = Timescale(checking: UInt32(clamping: configuration.sampleRate))
        else { return nil }
        self.emit = emit
        self.timescale = timescale
        timeBase = stream.pointee.time_base
        emit(.configuration(.aac(configuration), timescale))
    }

    func accept(_ packet: Packet?, shift: Int64) throws(LibAVError) {
        guard let packet, packet.bytes.count > 0, let ticks = packet.presentationTime ?? packet.decodeTime else {
            return
        }
        let shown = rescale(ticks, from: timeBase, to: microseconds) &+ shift
        let time = MediaTime(value: shown, timescale: .microseconds).converted(to: timescale).value
        emit(
            .unit(
                .audio,
                AccessUnit(
                    decodeTime: time, presentationTime: time, isRandomAccessPoint: true,
                    payload: .frame(ByteBuffer(bytes: packet.bytes)))))
    }

    func finish() throws(LibAVError) {}
}
