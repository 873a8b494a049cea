import CLibAV

/// Encodes a rung's pictures at a capped variable bit rate, in closed groups that begin where they are to, whatever the
/// encoder can be told, and makes sure that they do. Belongs to one thread.
///
/// An encoder that begins a group every so many pictures makes as many groups as are equally long; where the next is
/// longer, or the last was shorter, another takes its place.
final class GroupEncoder {
    struct Settings {
        var encoder: LadderEncoder
        var rung: LadderRung
        var stretch: LadderStretch
        /// Of the source.
        var parameters: AVCodecParameters
        var file: String
        var threadCount: Int
        var hardware: HardwareContext?
    }

    private let settings: Settings
    /// Pictures of each group, as far as is known before.
    private let plannedCounts: [Int]
    private let frames: HardwareFrames?
    private var encoder: Encoder
    private let parameterSets: [UInt8]
    /// Pictures between two of the encoder's own groups.
    private var groupLength: Int
    /// Given to the encoder.
    private var pictureCount = 0
    private var spentBitCount = 0
    /// Of pictures that were to begin a group, and did not come out of the encoder yet.
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

    /// That the encoder's track is of. The encoder itself may change later, its parameters do not.
    var trackEncoder: Encoder { encoder }
    /// Of what ``encode(_:group:_:)`` takes.
    var pixelFormat: AVPixelFormat { frames == nil ? AV_PIX_FMT_YUV420P : HardwareFrames.uploadFormat }
    var timeBase: AVRational { settings.stretch.timeBase }

    /// - Parameters:
    ///   - picture: its time counts from the stretch's start.
    ///   - group: the number of the one that it begins.
    func encode(
        _ picture: Frame, group: Int?, _ body: (Packet) throws(LibAVError) -> Void
    ) throws(LibAVError) {
        var type = AV_PICTURE_TYPE_NONE
        if let group {
            switch settings.encoder.groupControl {
            case .pictureType: type = AV_PICTURE_TYPE_I
            case .pictureCount: try prepare(forGroup: group, body)
            }
            if let time = picture.presentationTime { awaitedGroupStarts.insert(time) }
        }
        picture.pointer.pointee.pict_type = type
        pictureCount += 1
        let uploaded = try frames?.upload(picture)
        try encoder.encode(uploaded ?? picture) { packet throws(LibAVError) in try accept(packet, body) }
    }

    func finish(_ body: (Packet) throws(LibAVError) -> Void) throws(LibAVError) {
        try encoder.encode(nil) { packet throws(LibAVError) in try accept(packet, body) }
        guard awaitedGroupStarts.isEmpty else { throw disobedience }
    }

    private func accept(_ packet: Packet, _ body: (Packet) throws(LibAVError) -> Void) throws(LibAVError) {
        let isKeyFrame = packet.pointer.pointee.flags & AV_PKT_FLAG_KEY != 0
        // Rungs change where groups begin: a key frame anywhere else is harmless in one and missing in another.
        let isAwaited = packet.presentationTime.map { awaitedGroupStarts.remove($0) != nil } ?? false
        guard isKeyFrame == isAwaited else { throw disobedience }
        spentBitCount += Int(packet.pointer.pointee.size) * 8
        // AV1 alone is encoded so, whose samples are in the order in which they are shown.
        if settings.encoder.groupControl == .pictureCount { packet.decodeTime = packet.presentationTime }
        try body(packet)
    }

    // MARK: Groups by count

    private func prepare(
        forGroup group: Int, _ body: (Packet) throws(LibAVError) -> Void
    ) throws(LibAVError) {
        let planned = plannedCounts.indices.contains(group) ? max(1, plannedCounts[group]) : 1
        guard pictureCount % groupLength != 0 || planned > groupLength else { return }
        try finish(body)
        groupLength = planned
        pictureCount = 0
        encoder = try Encoder.ladder(
            settings, groupLength: planned, bitRate: bitRate(fromGroup: group), frames: frames)
        guard encoder.parameterSets == parameterSets else {
            throw LibAVError(
                .codecUnsupported, file: settings.file,
                "cannot be encoded with \(settings.encoder.name): its parameters change from one group to the next")
        }
    }

    /// An encoder that begins anew does not know what its predecessor has spent, and spends too much itself before it has
    /// found its rate. And where it shares out bits by pictures instead of by time, fewer of them would get fewer bits.
    private func bitRate(fromGroup group: Int) -> Int {
        let rate = Double(settings.rung.bitRate)
        var next = group + 1
        while next < plannedCounts.count, plannedCounts[next - 1] == groupLength, plannedCounts[next] <= groupLength {
            next += 1
        }
        let (start, end) = (seconds(toGroup: group), seconds(toGroup: next))
        let duration = max(0.1, end - start)
        let left = (rate * end - Double(spentBitCount)) / duration
        let pictureRate = Double(plannedCounts[group..<next].reduce(0, +)) / duration
        let sparseness = min(max(1, settings.rung.frameRate / max(1, pictureRate)), Self.maximumSparseness)
        return Int(min(max(left, rate * Self.minimumRateShare), rate) * sparseness)
    }

    /// From the stretch's start.
    private func seconds(toGroup group: Int) -> Double {
        let starts = settings.stretch.groupStarts
        // Of the very last group nobody says how long it is: as the one before.
        let usual = starts.count > 1 ? starts[starts.count - 1] - starts[starts.count - 2] : starts[0]
        let time = group < starts.count ? starts[group] : settings.stretch.end ?? starts[starts.count - 1] + usual
        return Double(time - settings.stretch.start) / Double(settings.stretch.timescale)
    }

    /// A picture of nothing but blocks helps nobody.
    private static let minimumRateShare = 0.3
    /// Of pictures that hardly ever come not each can be large.
    private static let maximumSparseness = 4.0

    private var disobedience: LibAVError {
        LibAVError(
            .codecUnsupported, file: settings.file,
            "cannot be encoded with \(settings.encoder.name): it does not begin groups of pictures where it is told to")
    }
}

extension Encoder {
    fileprivate var parameterSets: [UInt8] {
        guard let bytes = context.pointee.extradata, context.pointee.extradata_size > 0 else { return [] }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(context.pointee.extradata_size)))
    }

    /// Groups are begun by pictures' types; this only keeps an encoder from beginning one by count.
    private static let maximumGroupPictureCount: Int32 = 1000

    /// - Parameters:
    ///   - groupLength: of an encoder that counts.
    ///   - bitRate: the rung's, or what it has to be told instead; the cap is never below the rung's.
    fileprivate static func ladder(
        _ settings: GroupEncoder.Settings, groupLength: Int, bitRate: Int, frames: HardwareFrames?
    ) throws(LibAVError) -> Encoder {
        let (rung, source, kind) = (settings.rung, settings.parameters, settings.encoder)
        let options = kind.privateOptions(threadCount: settings.threadCount)
        return try Encoder(name: kind.name, options: options, file: settings.file) { context in
            context.pointee.width = Int32(clamping: rung.width)
            context.pointee.height = Int32(clamping: rung.height)
            context.pointee.pix_fmt = AV_PIX_FMT_YUV420P
            context.pointee.time_base = settings.stretch.timeBase
            context.pointee.framerate = AVRational(num: Int32(clamping: Int(rung.frameRate * 1000)), den: 1000)
            context.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
            context.pointee.gop_size =
                kind.groupControl == .pictureCount ? Int32(clamping: groupLength) : maximumGroupPictureCount
            context.pointee.bit_rate = Int64(bitRate)
            let cap = kind.rateCap(average: max(bitRate, rung.bitRate))
            context.pointee.rc_min_rate = Int64(cap.minimum)
            context.pointee.rc_max_rate = Int64(cap.maximum)
            context.pointee.rc_buffer_size = Int32(clamping: cap.buffer)
            context.pointee.color_range = AVCOL_RANGE_MPEG
            context.pointee.color_primaries = source.color_primaries
            context.pointee.color_trc = source.color_trc
            context.pointee.colorspace = source.color_space == AVCOL_SPC_RGB ? AVCOL_SPC_SMPTE170M : source.color_space
            context.pointee.thread_count = Int32(clamping: settings.threadCount)
            context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER | Int32(bitPattern: AV_CODEC_FLAG_CLOSED_GOP)
            settings.hardware?.attach(to: context, frames: frames)
        }
    }
}
