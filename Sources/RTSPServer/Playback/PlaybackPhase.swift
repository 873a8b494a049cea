/// The phases of a playback session.
///
/// `Start` is what PLAY has decided, and `Progress` what sending needs; both are `Void` if there is nothing to keep.
enum PlaybackPhase<Start, Progress> {
    /// Described, but not playing, or paused.
    case ready
    /// Nothing is sent until the response to PLAY has been written.
    case starting(Start)
    case playing(Progress)
    /// The final packets are being flushed.
    case ending
    case ended

    var isPlaying: Bool { if case .playing = self { true } else { false } }

    var isOver: Bool {
        switch self {
        case .ending, .ended: true
        case .ready, .starting, .playing: false
        }
    }
}
