package import CLibAV

/// A source of packets: a file within limits, or a broadcaster's own device or pipe.
package protocol PacketSource: AnyObject {
    /// The source's name, for messages.
    var name: String { get }
    /// libav's object, which the source owns.
    var context: UnsafeMutablePointer<AVFormatContext> { get }
    /// All streams, cover art included.
    var streams: [StreamInfo] { get }

    /// True if reading may wait for a device or another program.
    var isLive: Bool { get }

    /// Reads the next packet into `packet`; returns false at the end.
    func read(into packet: Packet) throws(LibAVError) -> Bool
}

extension PacketSource {
    /// Returns the stream that libav selects as the main one, never cover art; `nil` if there is none.
    package func bestStream(_ kind: StreamInfo.Kind) -> StreamInfo? {
        let type: AVMediaType = kind == .video ? AVMEDIA_TYPE_VIDEO : AVMEDIA_TYPE_AUDIO
        let index = Int(libav.av_find_best_stream(context, type, -1, -1, nil, 0))
        if streams.indices.contains(index), !streams[index].isCoverImage { return streams[index] }
        return streams.first { $0.kind == kind && !$0.isCoverImage }
    }

    /// Returns libav's object for a stream.
    ///
    /// - Parameter info: One of ``streams``.
    package func stream(_ info: StreamInfo) -> UnsafeMutablePointer<AVStream> {
        guard let stream = context.pointee.streams[info.index] else {
            preconditionFailure("StreamInfo belongs to another file")
        }
        return stream
    }

    /// Reads the streams of ``context``, after libav has found them.
    package func readStreams() -> [StreamInfo] {
        (0..<Int(context.pointee.nb_streams)).compactMap { index in
            context.pointee.streams[index].map { StreamInfo($0, of: context) }
        }
    }
}
