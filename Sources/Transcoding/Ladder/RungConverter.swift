import CLibAV
import LibAV

/// Encodes one rendition from decoded frames. Belongs to one thread.
final class RungConverter {
    /// The properties that all renditions of a chunk share.
    struct Source {
        var stream: UnsafeMutablePointer<AVStream>
        var rotation: FrameRotation
        var chunk: LadderChunk
        /// The presentation times of the chunk's frames, sorted.
        var frameTimes: [Int64]
        var file: String
        var interruption: Interruption
    }

    private let rung: LadderRung
    private let source: Source
    private let scaler: Scaler
    /// Converts to the encoder's pixel format, if that differs from the common one.
    private let repacker: Scaler
    private let encoder: GroupEncoder
    private let writer: MovieWriter
    private let track: Int
    private var selection: FrameSelection

    init(
        _ output: LadderEncoding.Output, source: Source, encoder kind: LadderEncoder, hardware: HardwareContext?,
        threadCount: Int
    ) throws(LibAVError) {
        rung = output.rung
        self.source = source
        guard (2...Scaler.maximumDimension).contains(rung.width), (2...Scaler.maximumDimension).contains(rung.height),
            (1...300).contains(rung.frameRate), rung.bitRate > 0
        else {
            throw LibAVError(.damaged, file: source.file, "cannot be encoded at \(rung.width)x\(rung.height)")
        }
        selection = FrameSelection(rung, timescale: source.chunk.timescale)
        scaler = Scaler(file: source.file, streamTags: ColorTags(source.stream.pointee.codecpar.pointee))
        repacker = Scaler(file: source.file)
        writer = try MovieWriter(path: output.path, file: source.file, interruption: source.interruption)
        let settings = GroupEncoder.Settings(
            encoder: kind, rung: rung, chunk: source.chunk, parameters: source.stream.pointee.codecpar.pointee,
            file: source.file, threadCount: threadCount, hardware: hardware)
        encoder = try GroupEncoder(
            settings, plannedCounts: selection.groupFrameCounts(of: source.frameTimes, in: source.chunk))
        track = try writer.addTrack(encoder.trackEncoder, from: nil)
        try writer.start(tags: [:])
    }

    /// Returns whether this frame, which has been scaled already, is large enough for the rendition.
    func canUse(_ frame: Frame) -> Bool { frame.width >= storedWidth && frame.height >= storedHeight }

    private var storedWidth: Int { source.rotation.swapsSides ? rung.height : rung.width }
    private var storedHeight: Int { source.rotation.swapsSides ? rung.width : rung.height }

    /// Scales and encodes a frame.
    ///
    /// - Parameter group: The index of the GOP that the frame starts; `nil` if it starts none.
    /// - Returns: The scaled frame before rotation; `nil` if the rendition drops it.
    func accept(_ frame: Frame, at time: Int64, group: Int?) throws(LibAVError) -> Frame? {
        guard selection.keeps(time, beginsGroup: group != nil) else { return nil }
        let scaled = try scaler.scale(frame, width: storedWidth, height: storedHeight, format: AV_PIX_FMT_YUV420P)
        // A separate reference, because each encoder sets its own times and frame types.
        let upright = try source.rotation == .none ? scaled.reference() : source.rotation.apply(to: scaled)
        let packed =
            encoder.pixelFormat == upright.pixelFormat
            ? upright
            : try repacker.scale(upright, width: rung.width, height: rung.height, format: encoder.pixelFormat)
        packed.presentationTime = time - source.chunk.start
        packed.pointer.pointee.color_range = AVCOL_RANGE_MPEG
        packed.pointer.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
        try encoder.encode(packed, group: group) { packet throws(LibAVError) in try write(packet) }
        return scaled
    }

    /// Drains the encoder and finishes the file.
    func finish() throws(LibAVError) {
        try encoder.finish { packet throws(LibAVError) in try write(packet) }
        try writer.finish()
    }

    private func write(_ packet: Packet) throws(LibAVError) {
        if packet.duration <= 0 { packet.duration = selection.minimumDistance }
        try writer.write(packet, track: track, timeBase: encoder.timeBase)
    }
}
