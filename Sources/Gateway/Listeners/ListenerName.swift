import LogMetadata

/// A listener of the server; the raw value is its name in `--print-ports`.
package enum ListenerName: String, CaseIterable, Sendable {
    case http
    case https
    case rtsp
    case rtsps
    case rtmp
    case rtmps
    case srt
    /// The port that speaks RTSP, RTMP and HTTP.
    case wowza

    /// Key of the listener's port in the log.
    var logKey: LogKey {
        switch self {
        case .http: .httpPort
        case .https: .httpsPort
        case .rtsp: .rtspPort
        case .rtsps: .rtspsPort
        case .rtmp: .rtmpPort
        case .rtmps: .rtmpsPort
        case .srt: .srtPort
        case .wowza: .wowzaPort
        }
    }
}
