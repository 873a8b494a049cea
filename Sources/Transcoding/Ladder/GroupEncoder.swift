import CLibAV
import LibAV

/// Encodes one rendition at a capped variable bit rate, in closed GOPs at prescribed boundaries, and verifies that the
/// encoder honoured them. Belongs to one thread.
///
/// An encoder that starts a GOP every so many frames serves only GOPs of the same length; if the next GOP is longer, or
/// the last one was shorter, it is replaced by another.
final class GroupEncoder {
    /// The configuration of a rendition's encoder.
    struct Settings {
        var encoder: LadderEncoder
        var rung: LadderRung
        var chunk: LadderChunk
        /// The codec parameters of the source.
        var parameters: AVCodecParameters
        var file: String
        var threadCount: Int
        var hardware: HardwareContext?
    }

    private let settings: Settings
    /// The number of frames in each GOP, as far as known in advance.
    private let plannedCounts: [Int]
    private let frames: HardwareFrames?
    private var encoder: Encoder
    private let parameterSets: [UInt8]
    /// The number of frames between two GOPs that the encoder starts by itself.
    private var groupLength: Int
    /// The number of frames passed to the current encoder.
    private var frameCount = 0
    /// The bits that have come out so far.
    private var spentBitCount = 0
    /// The presentation times of frames that must start a GOP and have not come out of the encoder yet.
    private var awaitedGroupStarts: Set<Int64> = []

    init(_ settings: Settings, plannedCounts: [Int]) throws(LibAVError) {
        self.settings = settings
        self.plannedCounts = plannedCounts
        frames = try settings.hardware?.makeFrames(width: settings.rung.width, height: settings.rung.height)
        let first = plannedCounts.firstIndex { $0 > 0 } ?? 0
        groupLength = max(1, plannedCounts.indices.contains(first) ? plannedCounts[first] : 1)
        encoder = try Encoder.ladder(
            settings, groupLength: groupLength, bitRate: settings.rung.bitRate, frames: frames)
        parameterSets = encoder.parameterSets
    }

    /// The encoder that describes the track. The encoder may be replaced later; its parameters do not change.
    var trackEncoder: Encoder { encoder }
    /// The pixel format that ``encode(_:group:_:)`` expects.
    var pixelFormat: AVPixelFormat { frames == nil ? AV_PIX_FMT_YUV420P : HardwareFrames.uploadFormat }
    /// The unit of all timestamps.
    var timeBase: AVRational { settings.chunk.timeBase }

    /// Encodes a frame and passes the packets that become ready to `body`. Throws ``LibAVError`` if the encoder does
    /// not honour the GOP boundaries.
    ///
    /// - Parameters:
    ///   - frame: A frame whose time counts from the chunk's start.
    ///   - group: The index of the GOP that the frame starts; `nil` if it starts none.
    func encode(
        _ frame: Frame, group: Int?, _ body: (Packet) throws(LibAVError) -> Void
    ) throws(LibAVError) {
        var type = AV_PICTURE_TYPE_NONE
        if let group {
            switch settings.encoder.groupControl {
            case .frameType: type = AV_PICTURE_TYPE_I
            case .frameCount: try prepare(forGroup: group, body)
            }
            if let time = frame.presentationTime { awaitedGroupStarts.insert(time) }
        }
        frame.pointer.pointee.pict_type = type
        frameCount += 1
        let uploaded = try frames?.upload(frame)
        try encoder.encode(uploaded ?? frame) { packet throws(LibAVError) in try accept(packet, body) }
    }

    /// Drains the encoder; throws ``LibAVError`` if a frame that had to start a GOP has not come out.
    func finish(_ body: (Packet) throws(LibAVError) -> Void) throws(LibAVError) {
        try encoder.encode(nil) { packet throws(LibAVError) in try accept(packet, body) }
        guard awaitedGroupStarts.isEmpty else { throw disobedience }
    }

    private func accept(_ packet: Packet, _ body: (Packet) throws(LibAVError) -> Void) throws(LibAVError) {
        let isKeyFrame = packet.pointer.pointee.flags & AV_PKT_FLAG_KEY != 0
        // Players switch renditions at GOP boundaries: a key frame anywhere else is harmless in one rendition and
        // missing in another.
        let isAwaited = packet.presentationTime.map { awaitedGroupStarts.remove($0) != nil } ?? false
        guard isKeyFrame == isAwaited else { throw disobedience }
        spentBitCount += Int(packet.pointer.pointee.size) * 8
        // Only AV1 is encoded this way; its samples are in presentation order.
        if settings.encoder.groupControl == .frameCount { packet.decodeTime = packet.presentationTime }
        try body(packet)
    }

    // MARK: GOPs by frame count

    private func prepare(
        forGroup group: Int, _ body: (Packet) throws(LibAVError) -> Void
    ) throws(LibAVError) {
        let planned = plannedCounts.indices.contains(group) ? max(1, plannedCounts[group]) : 1
        guard frameCount % groupLength != 0 || planned > groupLength else { return }
        try finish(body)
        groupLength = planned
        frameCount = 0
        encoder = try Encoder.ladder(
            settings, groupLength: planned, bitRate: bitRate(fromGroup: group), frames: frames)
        guard encoder.parameterSets == parameterSets else {
            throw LibAVError(
                .codecUnsupported, file: settings.file,
                "cannot be encoded with \(settings.encoder.name): its parameters change from one GOP to the next")
        }
    }

    /// Returns the bit rate for an encoder that starts at a GOP. A new encoder does not know what its predecessor has
    /// spent, and overspends until it has found its rate. If it distributes bits by frames instead of by time, a low
    /// frame rate would also get it too few bits.
    private func bitRate(fromGroup group: Int) -> Int {
        let rate = Double(settings.rung.bitRate)
        var next = group + 1
        while next < plannedCounts.count, plannedCounts[next - 1] == groupLength, plannedCounts[next] <= groupLength {
            next += 1
        }
        let (start, end) = (seconds(toGroup: group), seconds(toGroup: next))
        let duration = max(0.1, end - start)
        let left = (rate * end - Double(spentBitCount)) / duration
        let plannedRate = Double(plannedCounts[group..<next].reduce(0, +)) / duration
        let sparseness = min(max(1, settings.rung.frameRate / max(1, plannedRate)), Self.maximumSparseness)
        return Int(min(max(left, rate * Self.minimumRateShare), rate) * sparseness)
    }

    /// The start of a GOP, in seconds from the chunk's start.
    private func seconds(toGroup group: Int) -> Double {
        let starts = settings.chunk.groupStarts
        // The length of the very last GOP is unknown; it is taken to be that of the one before.
        let usual = starts.count > 1 ? starts[starts.count - 1] - starts[starts.count - 2] : starts[0]
        let time = group < starts.count ? starts[group] : settings.chunk.end ?? starts[starts.count - 1] + usual
        return Double(time - settings.chunk.start) / Double(settings.chunk.timescale)
    }

    /// The smallest share of the rendition's bit rate that is assigned: with less, frames dissolve into blocks.
    private static let minimumRateShare = 0.3
    /// The cap on the bit-rate boost for very low frame rates.
    private static let maximumSparseness = 4.0

    private var disobedience: LibAVError {
        LibAVError(
            .codecUnsupported, file: settings.file,
            "cannot be encoded with \(settings.encoder.name): it does not start GOPs where it is told to")
    }
}

extension Encoder {
    fileprivate var parameterSets: [UInt8] {
        guard let bytes = context.pointee.extradata, context.pointee.extradata_size > 0 else { return [] }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(context.pointee.extradata_size)))
    }

    /// The GOP length for encoders that start GOPs on request; it only keeps them from starting one by count.
    private static let maximumGroupFrameCount: Int32 = 1000

    /// Creates an encoder for a rendition.
    ///
    /// - Parameters:
    ///   - groupLength: The GOP length in frames, for an encoder that starts GOPs by count.
    ///   - bitRate: The rendition's bit rate or a corrected one; the cap is never below the rendition's own.
    fileprivate static func ladder(
        _ settings: GroupEncoder.Settings, groupLength: Int, bitRate: Int, frames: HardwareFrames?
    ) throws(LibAVError) -> Encoder {
        let (rung, source, kind) = (settings.rung, settings.parameters, settings.encoder)
        let options = kind.privateOptions(threadCount: settings.threadCount)
        return try Encoder(name: kind.name, options: options, file: settings.file) { context in
            context.pointee.width = Int32(clamping: rung.width)
            context.pointee.height = Int32(clamping: rung.height)
            context.pointee.pix_fmt = AV_PIX_FMT_YUV420P
            context.pointee.time_base = settings.chunk.timeBase
            context.pointee.framerate = AVRational(num: Int32(clamping: Int(rung.frameRate * 1000)), den: 1000)
            context.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
            context.pointee.gop_size =
                kind.groupControl == .frameCount ? Int32(clamping: groupLength) : maximumGroupFrameCount
            context.pointee.bit_rate = Int64(bitRate)
            let cap = kind.rateCap(
                average: max(bitRate, rung.bitRate), isStrict: rung.bandwidthLimit != nil)
            context.pointee.rc_min_rate = Int64(cap.minimum)
            context.pointee.rc_max_rate = Int64(cap.maximum)
            context.pointee.rc_buffer_size = Int32(clamping: cap.buffer)
            context.pointee.color_range = AVCOL_RANGE_MPEG
            ColorTags(source).scaled.apply(to: context)
            context.pointee.thread_count = Int32(clamping: settings.threadCount)
            context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER | Int32(bitPattern: AV_CODEC_FLAG_CLOSED_GOP)
            settings.hardware?.attach(to: context, frames: frames)
        }
    }
}
