/// A listener of the server; the raw value is its name in `--print-ports`.
enum ListenerName: String, CaseIterable, Sendable {
    case http
    case https
    case rtsp
    case rtsps
    /// The port that speaks both RTSP and HTTP.
    case wowza
}
