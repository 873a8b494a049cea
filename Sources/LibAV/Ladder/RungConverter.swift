import CLibAV

/// Makes one rung out of decoded pictures. Belongs to one thread.
final class RungConverter {
    /// What all rungs of a stretch have in common.
    struct Source {
        var stream: UnsafeMutablePointer<AVStream>
        var rotation: PictureRotation
        var stretch: LadderStretch
        var file: String
        var interruption: Interruption
    }

    private let rung: LadderRung
    private let source: Source
    private let encoderName: String
    private let scaler: Scaler
    private let encoder: Encoder
    private let writer: MovieWriter
    private let track: Int
    /// Ticks between two pictures, at least.
    private let minimumDistance: Int64
    private var nextAllowedTime: Int64?
    /// Of pictures that were to begin a group, and did not come out of the encoder yet.
    private var awaitedGroupStarts: Set<Int64> = []

    init(
        _ output: LadderEncoding.Output, source: Source, encoderName: String, threadCount: Int
    ) throws(LibAVError) {
        rung = output.rung
        self.source = source
        self.encoderName = encoderName
        guard (2...Scaler.maximumDimension).contains(rung.width), (2...Scaler.maximumDimension).contains(rung.height),
            (1...300).contains(rung.frameRate), rung.bitRate > 0
        else {
            throw LibAVError(.damaged, file: source.file, "cannot become \(rung.width)x\(rung.height)")
        }
        minimumDistance = Int64((Double(source.stretch.timescale) / rung.frameRate).rounded())
        scaler = Scaler(file: source.file)
        writer = try MovieWriter(path: output.path, file: source.file, interruption: source.interruption)
        encoder = try Encoder.ladder(
            name: encoderName, rung: rung, timeBase: source.stretch.timeBase,
            like: source.stream.pointee.codecpar.pointee, file: source.file, threadCount: threadCount)
        track = try writer.addTrack(encoder, from: nil)
        try writer.start(tags: [:])
    }

    /// Whether the rung's picture can be made from this one, which has been scaled already.
    func canUse(_ picture: Frame) -> Bool { picture.width >= storedWidth && picture.height >= storedHeight }

    private var storedWidth: Int { source.rotation.swapsSides ? rung.height : rung.width }
    private var storedHeight: Int { source.rotation.swapsSides ? rung.width : rung.height }

    /// - Returns: the picture as it was scaled, not turned yet; `nil` where the rung leaves it out.
    func accept(_ picture: Frame, at time: Int64, beginsGroup: Bool) throws(LibAVError) -> Frame? {
        // From each group's beginning anew: so the choice does not depend on where encoding began, and the picture that
        // a group begins with is in all rungs.
        if !beginsGroup, let allowed = nextAllowedTime, time < allowed - minimumDistance / 4 { return nil }
        let allowed = beginsGroup ? time : nextAllowedTime ?? time
        nextAllowedTime = max(allowed + minimumDistance, time + minimumDistance / 2)

        let scaled = try scaler.scale(picture, width: storedWidth, height: storedHeight, format: AV_PIX_FMT_YUV420P)
        // A reference of its own: times and types are each encoder's.
        let upright = try source.rotation == .none ? scaled.reference() : source.rotation.apply(to: scaled)
        let own = time - source.stretch.start
        upright.presentationTime = own
        upright.pointer.pointee.pict_type = beginsGroup ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE
        upright.pointer.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
        if beginsGroup { awaitedGroupStarts.insert(own) }
        try encoder.encode(upright) { packet throws(LibAVError) in try write(packet) }
        return scaled
    }

    func finish() throws(LibAVError) {
        try encoder.encode(nil) { packet throws(LibAVError) in try write(packet) }
        guard awaitedGroupStarts.isEmpty else { throw disobedience }
        try writer.finish()
    }

    private func write(_ packet: Packet) throws(LibAVError) {
        let isKeyFrame = packet.pointer.pointee.flags & AV_PKT_FLAG_KEY != 0
        // Rungs change where groups begin: a key frame anywhere else is harmless in one and missing in another.
        let isAwaited = packet.presentationTime.map { awaitedGroupStarts.remove($0) != nil } ?? false
        guard isKeyFrame == isAwaited else { throw disobedience }
        if packet.duration <= 0 { packet.duration = minimumDistance }
        try writer.write(packet, track: track, timeBase: encoder.timeBase)
    }

    private var disobedience: LibAVError {
        LibAVError(
            .codecUnsupported, file: source.file,
            "cannot be encoded with \(encoderName): it does not begin groups of pictures where it is told to")
    }
}

extension Encoder {
    /// Capped variable bit rate in closed groups that begin where pictures say so.
    fileprivate static func ladder(
        name: String, rung: LadderRung, timeBase: AVRational, like source: AVCodecParameters, file: String,
        threadCount: Int
    ) throws(LibAVError) -> Encoder {
        try Encoder(name: name, options: LadderEncoderOptions(name: name).privateOptions, file: file) { context in
            context.pointee.width = Int32(clamping: rung.width)
            context.pointee.height = Int32(clamping: rung.height)
            context.pointee.pix_fmt = AV_PIX_FMT_YUV420P
            context.pointee.time_base = timeBase
            context.pointee.framerate = AVRational(num: Int32(clamping: Int(rung.frameRate * 1000)), den: 1000)
            context.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
            context.pointee.gop_size = LadderEncoderOptions.maximumGroupPictureCount
            context.pointee.bit_rate = Int64(rung.bitRate)
            // A segment's peak stays below twice the average (rule 1.30): 1.5 times it and a buffer of one second of
            // that make 1.75 in 6 s.
            context.pointee.rc_max_rate = Int64(rung.bitRate) * 3 / 2
            context.pointee.rc_buffer_size = Int32(clamping: rung.bitRate * 3 / 2)
            context.pointee.color_range = AVCOL_RANGE_MPEG
            context.pointee.color_primaries = source.color_primaries
            context.pointee.color_trc = source.color_trc
            context.pointee.colorspace = source.color_space == AVCOL_SPC_RGB ? AVCOL_SPC_SMPTE170M : source.color_space
            context.pointee.thread_count = Int32(clamping: threadCount)
            context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER | Int32(bitPattern: AV_CODEC_FLAG_CLOSED_GOP)
        }
    }
}

/// How the encoders that are known are told what all are told.
struct LadderEncoderOptions {
    let name: String

    /// Groups are begun by time; this only keeps an encoder from beginning one by count.
    static let maximumGroupPictureCount: Int32 = 1000

    var privateOptions: [(name: String, value: String)] {
        switch name {
        case "libx264":
            [
                ("preset", "veryfast"), ("profile", "high"), ("forced-idr", "1"),
                ("x264-params", "open-gop=0:scenecut=0"),
            ]
        case "h264_nvenc", "hevc_nvenc":
            [("preset", "p4"), ("rc", "vbr"), ("forced-idr", "1"), ("no-scenecut", "1")]
        case "libsvtav1": [("preset", "10")]
        default: []
        }
    }
}
