import CLibAV
import LibAV

/// Copies compressed video frames, with times that MP4 can hold.
final class VideoCopier: TrackConverter {
    private let writer: MovieWriter
    private let track: Int
    private var grid: FrameGrid
    /// The reordering delay, in frames.
    private let reorderedFrameCount: Int64
    private let hasPresentationTimes: Bool
    /// `nil` if the lengths of NAL units stay as they are.
    private let lengths: NALUnitLengths?
    private var lastDecodeTime: Int64?
    private var hasKeyFrame = false

    /// Adds a track to the movie.
    ///
    /// - Parameters:
    ///   - hasPresentationTimes: Whether the packets have presentation times; otherwise frames are presented as they
    ///     are decoded.
    ///   - header: The sequence header that the record of the stream lacks; `nil` if it lacks none.
    ///   - file: The file to name in errors.
    init(
        _ stream: UnsafeMutablePointer<AVStream>, frameRate: AVRational?, writer: MovieWriter,
        hasPresentationTimes: Bool = true, header: AV1SequenceHeaderSource? = nil, file: String
    ) throws(LibAVError) {
        self.writer = writer
        self.hasPresentationTimes = hasPresentationTimes
        grid = FrameGrid(source: stream.pointee.time_base, frameRate: frameRate)
        reorderedFrameCount = Int64(max(0, min(16, stream.pointee.codecpar.pointee.video_delay)))
        let lengths = NALUnitLengths(stream.pointee.codecpar.pointee, file: file)
        self.lengths = lengths
        track = try writer.addCopy(of: stream, timeBase: grid.timeBase) { parameters in
            lengths?.rewrite(parameters)
            header?.complete(parameters)
        }
    }

    func accept(_ packet: Packet?) throws(LibAVError) {
        guard let packet else { return }
        // A recording may begin in the middle of a GOP; frames before the first key frame could not be decoded.
        hasKeyFrame = hasKeyFrame || packet.pointer.pointee.flags & AV_PKT_FLAG_KEY != 0
        guard hasKeyFrame else { return }
        let presentationTime = hasPresentationTimes ? packet.presentationTime.map { grid.time(of: $0) } : nil
        var decodeTime = packet.decodeTime.map { grid.time(of: $0) }
        if let last = lastDecodeTime {
            decodeTime = max(decodeTime ?? last + grid.frameDuration, last + 1)
        }
        // Matroska has no decode times, and libav derives none for the first frames.
        let known = decodeTime ?? (presentationTime ?? 0) - reorderedFrameCount * grid.frameDuration
        lastDecodeTime = known
        packet.decodeTime = known
        packet.presentationTime = max(presentationTime ?? known, known)
        packet.duration = grid.frameDuration
        try writer.write(try lengths?.rewritten(packet) ?? packet, track: track, timeBase: grid.timeBase)
    }
}
