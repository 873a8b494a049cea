/// The state of a session. Each state has a struct of its own, so that an event can only use values that exist in it.
enum RTSPSessionState: Hashable, Sendable {
    case idle(IdleState)
    case ready(ReadyState)
    case recording(RecordingState)
    case playing(PlayingState)
    case closed

    /// The session; `nil` before it begins and after it has ended.
    var session: EstablishedSession? {
        get {
            switch self {
            case .ready(let state): state.session
            case .recording(let state): state.session
            case .playing(let state): state.session
            case .idle, .closed: nil
            }
        }
        set {
            guard let newValue else { return }
            switch self {
            case .ready: self = .ready(ReadyState(session: newValue))
            case .recording: self = .recording(RecordingState(session: newValue))
            case .playing: self = .playing(PlayingState(session: newValue))
            case .idle, .closed: break
            }
        }
    }
}
