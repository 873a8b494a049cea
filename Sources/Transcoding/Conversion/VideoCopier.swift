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
    private var lastDecodeTime: Int64?
    private var hasKeyFrame = false

    /// Adds a track to the movie.
    ///
    /// - Parameter hasPresentationTimes: Whether the packets have presentation times; otherwise frames are presented as
    ///   they are decoded.
    init(
        _ stream: UnsafeMutablePointer<AVStream>, frameRate: AVRational?, writer: MovieWriter,
        hasPresentationTimes: Bool = true
    ) throws(LibAVError) {
        self.writer = writer
        self.hasPresentationTimes = hasPresentationTimes
        grid = FrameGrid(source: stream.pointee.time_base, frameRate: frameRate)
        reorderedFrameCount = Int64(max(0, min(16, stream.pointee.codecpar.pointee.video_delay)))
        track = try writer.addCopy(of: stream, timeBase: grid.timeBase)
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
        try writer.write(packet, track: track, timeBase: grid.timeBase)
    }
}
