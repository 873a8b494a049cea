/// The protocols of the shared port.
enum SpokenProtocol: Sendable, Hashable {
    case http
    case rtsp
    case rtmp
}
