extension LadderEncoder {
    /// libav's names of the encoders that ladders of channels may use: H.264, which all players have, and which comes
    /// out of the encoder with the frame that goes in.
    package static let liveNames = ["libx264", "h264_vaapi", "h264_nvenc"]

    /// The encoder of channels where titles have another one: theirs if channels can use it, and else libx264.
    package static func liveName(titles name: String) -> String { liveNames.contains(name) ? name : liveNames[0] }

    /// The options of an encoder that holds no frame back: no look-ahead, and no frames that refer to later ones.
    var liveOptions: [(name: String, value: String)] {
        switch name {
        case "h264_vaapi": [("rc_mode", "VBR"), ("idr_interval", "0"), ("async_depth", "1"), ("profile", "high")]
        case "h264_nvenc":
            [
                ("preset", "p4"), ("tune", "ull"), ("rc", "vbr"), ("zerolatency", "1"), ("delay", "0"),
                ("forced-idr", "1"), ("no-scenecut", "1"), ("strict_gop", "1"), ("profile", "high"),
            ]
        default:
            [
                ("preset", "veryfast"), ("tune", "zerolatency"), ("profile", "high"), ("forced-idr", "1"),
                // Bits are spent by the frame rate that is set (force-cfr): to spend them by the frames' times, x264 would
                // hold back one frame.
                ("x264-params", "open-gop=0:bframes=0:scenecut=0:force-cfr=1"),
            ]
        }
    }
}
