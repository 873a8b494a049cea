/// A codec of a tag: those of FLV, and those that enhanced RTMP names by four characters (Veovera, "Enhanced RTMP",
/// version 2).
package enum FLVCodec: Sendable, Hashable {
    case h264, hevc, av1, vp9
    case aac, opus, ac3, eac3, flac, mp3
    /// A codec that Antena does not take, by its name.
    case other(String)

    /// Human-readable name.
    package var name: String {
        switch self {
        case .h264: "H.264"
        case .hevc: "HEVC"
        case .av1: "AV1"
        case .vp9: "VP9"
        case .aac: "AAC"
        case .opus: "Opus"
        case .ac3: "AC-3"
        case .eac3: "E-AC-3"
        case .flac: "FLAC"
        case .mp3: "MP3"
        case .other(let name): name
        }
    }

    /// Whether it is a codec of video that Antena takes.
    package var isVideo: Bool {
        switch self {
        case .h264, .hevc, .av1, .vp9: true
        case .aac, .opus, .ac3, .eac3, .flac, .mp3, .other: false
        }
    }

    /// - Parameter code: the four characters of enhanced RTMP.
    init(fourCharacters code: UInt32) {
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: code >> (24 - 8 * $0)) }
        let text = String(decoding: bytes, as: UTF8.self)
        self = Self.codes.first { $0.text == text }?.codec ?? .other(text.filter { $0.isLetter || $0.isNumber })
    }

    /// The four characters of enhanced RTMP; `nil` for a codec that Antena does not send.
    var fourCharacters: UInt32? {
        Self.codes.first { $0.codec == self }?.text.utf8.reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static let codes: [(text: String, codec: FLVCodec)] = [
        ("avc1", .h264), ("hvc1", .hevc), ("av01", .av1), ("vp09", .vp9), ("mp4a", .aac), ("Opus", .opus),
        ("ac-3", .ac3), ("ec-3", .eac3), ("fLaC", .flac), (".mp3", .mp3),
    ]

    /// The number of a codec in an audio tag of FLV.
    static func ofAudio(_ number: UInt8) -> FLVCodec {
        switch number {
        case 0, 3: .other("PCM")
        case 1: .other("ADPCM")
        case 2, 14: .mp3
        case 4, 5, 6: .other("Nellymoser")
        case 7, 8: .other("G.711")
        case 10: .aac
        case 11: .other("Speex")
        default: .other("codec \(number)")
        }
    }

    /// The number of a codec in a video tag of FLV; 12 and 13 are what some encoders use without enhanced RTMP.
    static func ofVideo(_ number: UInt8) -> FLVCodec {
        switch number {
        case 2: .other("Sorenson H.263")
        case 3: .other("Screen Video")
        case 4, 5: .other("VP6")
        case 7: .h264
        case 12: .hevc
        case 13: .av1
        default: .other("codec \(number)")
        }
    }
}
