import CLibAV
import Codecs
import LibAV

/// Copies compressed video frames from a container without presentation times, which are derived from the frames'
/// picture order counts.
final class VideoOrderingCopier: TrackConverter {
    private let writer: MovieWriter
    private let track: Int
    private let file: String
    private let parser: PictureOrderParser
    private var grid: FrameGrid
    private var order: PictureOrder
    /// The packets that have no presentation time yet, in decoding order; at most
    /// ``PictureOrder/maximumHeldPictureCount``.
    private var held: [Packet] = []
    private var lastDecodeTime: Int64?
    private var frameCount = 0
    private var hasKeyFrame = false

    init(
        _ stream: UnsafeMutablePointer<AVStream>, frameRate: AVRational?, writer: MovieWriter, file: String
    ) throws(LibAVError) {
        self.writer = writer
        self.file = file
        parser = try PictureOrderParser(stream, file: file)
        grid = FrameGrid(source: stream.pointee.time_base, frameRate: frameRate)
        order = PictureOrder(
            delay: Int(stream.pointee.codecpar.pointee.video_delay), frameDuration: grid.frameDuration)
        track = try writer.addCopy(of: stream, timeBase: grid.timeBase)
    }

    /// Copies a packet.
    ///
    /// - Throws: ``LibAVError`` with code `pictureOrderUnknown` if the frames' order contradicts itself.
    func accept(_ packet: Packet?) throws(LibAVError) {
        guard let packet else { return try write(placing: nil) }
        // A recording may begin in the middle of a GOP; frames before the first key frame could not be decoded. AVI
        // also has empty packets that repeat the last frame.
        hasKeyFrame = hasKeyFrame || packet.pointer.pointee.flags & AV_PKT_FLAG_KEY != 0
        guard hasKeyFrame, !packet.bytes.isEmpty else { return }
        guard let place = parser.place(of: packet) else { throw contradiction }
        var decodeTime = packet.decodeTime.map { grid.time(of: $0) }
        if let last = lastDecodeTime { decodeTime = max(decodeTime ?? last + grid.frameDuration, last + 1) }
        let known = decodeTime ?? 0
        lastDecodeTime = known
        frameCount += 1
        packet.decodeTime = known
        held.append(try packet.moved())
        try write(placing: (place, known))
    }

    /// Writes the packets whose presentation times are known now.
    private func write(placing frame: (place: PictureOrder.Place, decodeTime: Int64)?) throws(LibAVError) {
        let times: [Int64]
        do { times = try order.accept(frame) } catch { throw contradiction }
        for (packet, time) in zip(held, times) {
            packet.presentationTime = time
            packet.duration = grid.frameDuration
            try writer.write(packet, track: track, timeBase: grid.timeBase)
        }
        held.removeFirst(times.count)
    }

    private var contradiction: LibAVError {
        LibAVError(
            .pictureOrderUnknown, file: file,
            "has no presentation times, and the order of its frames cannot be determined after \(frameCount) frames"
        )
    }
}
