package import LibAV

/// An encoder for adaptive-bitrate ladders: an encoder of libav whose codec HLS carries and whose peculiarities are
/// known.
package struct LadderEncoder: Sendable, Hashable {
    /// The way in which an encoder is made to start a GOP.
    enum GroupControl: Sendable, Hashable {
        /// The frame's type requests it (`AVFrame.pict_type`).
        case frameType
        /// The encoder starts a GOP every so many frames and accepts no requests: SVT-AV1 when it has to keep a bit
        /// rate.
        case frameCount
    }

    /// libav's name of the encoder, such as `libx264`.
    package let name: String
    let groupControl: GroupControl
    /// The device that it encodes on; `nil` if that is the processor.
    package let device: HardwareDevice?
    private let family: Family

    private enum Family: Sendable, Hashable {
        case x264, openH264, x265, svtAV1, aomAV1, nvenc, vaapi
    }

    private init(
        _ name: String, _ family: Family, _ groupControl: GroupControl = .frameType, on device: HardwareDevice? = nil
    ) {
        self.name = name
        self.family = family
        self.groupControl = groupControl
        self.device = device
    }

    private static let all = [
        LadderEncoder("libx264", .x264), LadderEncoder("libopenh264", .openH264), LadderEncoder("libx265", .x265),
        LadderEncoder("libsvtav1", .svtAV1, .frameCount), LadderEncoder("libaom-av1", .aomAV1),
        LadderEncoder("h264_nvenc", .nvenc, on: .cuda), LadderEncoder("hevc_nvenc", .nvenc, on: .cuda),
        LadderEncoder("av1_nvenc", .nvenc, on: .cuda), LadderEncoder("h264_vaapi", .vaapi, on: .vaapi),
        LadderEncoder("hevc_vaapi", .vaapi, on: .vaapi), LadderEncoder("av1_vaapi", .vaapi, on: .vaapi),
    ]

    /// Looks up an encoder by libav's name.
    ///
    /// - Throws: `LibAVError` with the list of known encoders if the name is not among them.
    package init(named name: String) throws(LibAVError) {
        guard let known = Self.all.first(where: { $0.name == name }) else {
            throw LibAVError(
                .codecUnsupported, file: nil,
                """
                "\(name)" is not a supported encoder for renditions: HLS does not carry its codec, or \
                it is untested; must be one of: \(Self.all.map(\.name).joined(separator: ", "))
                """)
        }
        self = known
    }

    /// True if the encoder's output is AV1.
    package var makesAV1: Bool { name.contains("av1") }

    /// The number of workers that keep `coreCount` cores busy.
    ///
    /// A device encodes one stream after the other, no matter who asks, and many accept only three or five streams at
    /// once, so one worker gets all cores for decoding.
    package func workerCount(coreCount: Int) -> Int { device == nil ? max(1, coreCount) : 1 }

    /// The limit on a worker's address space, in bytes. SVT-AV1 and x265 start dozens of threads, each with a stack of
    /// 8 MiB; drivers map the device's memory, and CUDA reserves addresses for all of it and all of the machine's,
    /// which costs nothing.
    package var addressSpaceByteCount: Int {
        switch family {
        case .x264, .openH264, .aomAV1: 4 << 30
        case .x265, .svtAV1: 8 << 30
        case .vaapi: 16 << 30
        case .nvenc: 16 << 40
        }
    }

    /// The limits on an encoder's rate: the bit rates in bits per second, the buffer in bits.
    struct RateCap {
        var minimum: Int
        var maximum: Int
        var buffer: Int
    }

    /// Returns the limits for an average bit rate. A segment's peak stays below twice the average (HLS Authoring
    /// Specification 1.30): 1.5 times the average and a buffer of one second of that make 1.75 in 6 s.
    ///
    /// - Parameters:
    ///   - average: The average bit rate.
    ///   - isStrict: Whether the peak has to stay low for slow lines: then it is 4/3 of the average, with a buffer of
    ///     half a second of that, so that even a segment of one second stays below twice the average.
    func rateCap(average: Int, isStrict: Bool = false) -> RateCap {
        switch family {
        // At a variable rate it takes 1.3 times the requested rate, and 2.4 times when a scene becomes easy.
        case .aomAV1: RateCap(minimum: average, maximum: average, buffer: average / 2)
        case _ where isStrict: RateCap(minimum: 0, maximum: average * 4 / 3, buffer: average * 2 / 3)
        default: RateCap(minimum: 0, maximum: average * 3 / 2, buffer: average * 3 / 2)
        }
    }

    /// The options that only this encoder understands.
    func privateOptions(threadCount: Int) -> [(name: String, value: String)] {
        switch family {
        case .x264:
            [
                ("preset", "veryfast"), ("profile", "high"), ("forced-idr", "1"),
                ("x264-params", "open-gop=0:scenecut=0"),
            ]
        case .openH264: [("rc_mode", "bitrate"), ("allow_skip_frames", "0")]
        case .x265:
            [
                ("preset", "veryfast"), ("forced-idr", "1"),
                (
                    "x265-params",
                    "log-level=error:open-gop=0:scenecut=0:pools=\(threadCount):frame-threads=\(min(threadCount, 4))"
                ),
            ]
        case .svtAV1: [("preset", "10"), ("svtav1-params", "lp=\(threadCount)")]
        // Its other mode places key frames of its own in addition to the requested ones.
        case .aomAV1:
            [
                ("usage", "realtime"), ("cpu-used", "8"), ("row-mt", "1"), ("lag-in-frames", "0"),
                ("undershoot-pct", "100"), ("overshoot-pct", "100"),
            ]
        case .nvenc:
            [("preset", "p4"), ("rc", "vbr"), ("forced-idr", "1"), ("no-scenecut", "1"), ("strict_gop", "1")]
                + (name.hasPrefix("h264") ? [("profile", "high")] : [])
        // The frame's type alone starts GOPs: every I frame is an IDR.
        case .vaapi: [("rc_mode", "VBR"), ("idr_interval", "0")]
        }
    }
}
