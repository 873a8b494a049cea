/// The use of a connection. Unused connections may be closed in favour of others; recording and playing ones are
/// kept.
package enum ConnectionUse: Hashable, Sendable {
    /// No track is set up.
    case idle
    /// An ANNOUNCE was accepted, but RECORD has not arrived.
    case announced
    case recording
    /// A reader has set up a track, but PLAY has not arrived.
    case prepared
    /// Media was played; playback may be paused.
    case playing
}

extension ConnectionUse {
    package var isReader: Bool { self == .prepared || self == .playing }
}
