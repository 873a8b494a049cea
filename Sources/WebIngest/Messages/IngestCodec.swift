/// A codec in which a browser sends, by the beginning of its name in WebCodecs.
enum IngestCodec: String, Sendable, Hashable, CaseIterable {
    case h264 = "avc1"
    case hevc = "hvc1"
    case vp8 = "vp8"
    case vp9 = "vp09"
    case aac = "mp4a.40"
    case opus = "opus"

    /// - Parameter name: the name in WebCodecs, such as `avc1.42e01f`.
    init?(name: String) {
        let found = Self.allCases.first { name == $0.rawValue || name.hasPrefix("\($0.rawValue).") }
        guard let found else { return nil }
        self = found
    }

    var isVideo: Bool {
        switch self {
        case .h264, .hevc, .vp8, .vp9: true
        case .aac, .opus: false
        }
    }

    static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
