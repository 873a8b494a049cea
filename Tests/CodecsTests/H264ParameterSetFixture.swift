import Codecs
import TestSupport
import Testing

/// Decoder configuration records (`avcC`) that ffmpeg 5.1's MP4 muxer has written for x264 (Debian 12), and ffprobe's
/// output for the same files.
struct H264ParameterSetFixture: Sendable, CustomTestStringConvertible {
    var name: String
    var record: [UInt8]
    var width: Int
    var height: Int
    var frameRate: Double?
    var sampleAspectRatio = SampleAspectRatio.square
    var reorderFrameCount: Int
    var rfc6381: String

    var testDescription: String { name }

    init(
        _ name: String, _ record: String, _ width: Int, _ height: Int, frameRate: Double?,
        aspect: (UInt32, UInt32) = (1, 1), reordering: Int, _ rfc6381: String
    ) {
        self.name = name
        self.record = bytes(hexadecimal: record)
        self.width = width
        self.height = height
        self.frameRate = frameRate
        sampleAspectRatio = SampleAspectRatio(width: aspect.0, height: aspect.1)
        reorderFrameCount = reordering
        self.rfc6381 = rfc6381
    }

    static let all = [
        // -c:v libx264 -profile:v baseline, testsrc2=s=320x240:r=15
        H264ParameterSetFixture(
            "constrained baseline",
            "0142c00cffe100186742c00cd90141fb0110000003001000000301e0f142a48001000568cb83cb20",
            320, 240, frameRate: 15, reordering: 0, "avc1.42c00c"),
        // -preset ultrafast -profile:v high -bf 2 -color_primaries bt709 … nal-hrd=vbr, 1920x1080 at 30000/1001
        H264ParameterSetFixture(
            "high, cropped to 1080 lines, colours, HRD",
            """
            01640028ffe1002767640028acd940780227e5c05a808080a000007d20001d4c0c90001e848003d09498600f183196
            01000468ee0fcbfdf8f800
            """,
            1920, 1080, frameRate: 30_000.0 / 1_001, reordering: 2, "avc1.640028"),
        // -preset veryfast -flags +ildct+ilme -x264-params tff=1 -aspect 16:9, 720x576 at 25
        H264ParameterSetFixture(
            "high, interlaced, pixel shape spelled out",
            "0164001effe1001c6764001eacd940b424dff8020001688000000300800000190f8a14cb01000468fe8fcbfdf8f800",
            720, 576, frameRate: 25, aspect: (64, 45), reordering: 2, "avc1.64001e"),
        // -profile:v main, 640x360 at 24, setsar=4/3
        H264ParameterSetFixture(
            "main, pixel shape from the table",
            "014d401effe10018674d401eeca05017fcb870800000030080000018078b16cb01000568ebe3cb20",
            640, 360, frameRate: 24, aspect: (4, 3), reordering: 2, "avc1.4d401e"),
        // -profile:v high444 -pix_fmt yuv444p, 322x242 at 60: crops by single pixels
        H264ParameterSetFixture(
            "high 4:4:4, odd crop",
            "01f40016ffe1001a67f40016919b282a10f1f1f80880000003008000003c078b16cb01000668ebe3c44844fff8f800",
            322, 242, frameRate: 60, reordering: 2, "avc1.f40016"),
        // -profile:v high10 -pix_fmt yuv420p10le, 322x242 at 60
        H264ParameterSetFixture(
            "high 10",
            "016e0016ffe1001b676e0016a6cd94150878888c0440000003004000001e03c58b658001000668ebe3cb22c0fdfafa00",
            322, 242, frameRate: 60, reordering: 2, "avc1.6e0016"),
    ]
}
