/// What somebody wants to play by RTSP.
package enum RTSPPlayedSubject: Sendable, Hashable {
    /// A channel's name.
    case channel(String)
    /// The path of a title or track.
    case title(path: String)
}
