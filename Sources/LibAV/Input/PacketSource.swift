import CLibAV

/// What packets are read from: a file within limits, or a broadcaster's own device or pipe.
protocol PacketSource: AnyObject {
    /// For messages.
    var name: String { get }
    var context: UnsafeMutablePointer<AVFormatContext> { get }
    /// All streams, cover art included.
    var streams: [StreamInfo] { get }

    /// Whether reading waits for somebody else to write.
    var isLive: Bool { get }

    /// Fills `packet` with the next one; false at the end.
    func read(into packet: Packet) throws(LibAVError) -> Bool
}

extension PacketSource {
    /// The stream that libav takes for the main one; never cover art.
    func bestStream(_ kind: StreamInfo.Kind) -> StreamInfo? {
        let type: AVMediaType = kind == .video ? AVMEDIA_TYPE_VIDEO : AVMEDIA_TYPE_AUDIO
        let index = Int(libav.av_find_best_stream(context, type, -1, -1, nil, 0))
        if streams.indices.contains(index), !streams[index].isAttachedPicture { return streams[index] }
        return streams.first { $0.kind == kind && !$0.isAttachedPicture }
    }

    /// - Parameter info: one of ``streams``.
    func stream(_ info: StreamInfo) -> UnsafeMutablePointer<AVStream> {
        guard let stream = context.pointee.streams[info.index] else {
            preconditionFailure("StreamInfo belongs to another file")
        }
        return stream
    }

    /// Of ``context``, once its streams are known.
    func readStreams() -> [StreamInfo] {
        (0..<Int(context.pointee.nb_streams)).compactMap { index in
            context.pointee.streams[index].map { StreamInfo($0, of: context) }
        }
    }
}
