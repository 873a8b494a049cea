import NIOCore
import SessionDescription

// One struct per state: what a state does not hold, no event can use in it.

/// A connection without a session.
struct IdleState: Hashable, Sendable {
    /// By a DESCRIBE that was answered: what a SETUP may refer to.
    var presentation: RTSPPresentation?
}

/// What every state from an accepted ANNOUNCE, or a reader's first SETUP, on has.
struct EstablishedSession: Hashable, Sendable {
    enum Role: Hashable, Sendable {
        case recording(RTSPAnnouncement)
        case reading(RTSPPresentation)
    }

    var id: String
    var role: Role
    /// The tracks that have a transport: URLs as SETUP named them, by position.
    var preparedTracks: [Int: String] = [:]

    var trackControl: TrackControl {
        switch role {
        case .recording(let announcement):
            TrackControl(base: announcement.url, controls: announcement.description.media.map(\.control))
        case .reading(let presentation): presentation.trackControl
        }
    }

    var trackCount: Int {
        switch role {
        case .recording(let announcement): announcement.description.media.count
        case .reading(let presentation): presentation.description.media.count
        }
    }

    var isReading: Bool { if case .reading = role { true } else { false } }
}

extension RTSPPresentation {
    var trackControl: TrackControl { TrackControl(base: url, controls: description.media.map(\.control)) }
}

/// RFC 2326 §A.2's Ready: SETUP, and then RECORD or PLAY, are what may follow.
struct ReadyState: Hashable, Sendable {
    var session: EstablishedSession
}

struct RecordingState: Hashable, Sendable {
    var session: EstablishedSession
}

struct PlayingState: Hashable, Sendable {
    var session: EstablishedSession
}

enum RTSPSessionState: Hashable, Sendable {
    case idle(IdleState)
    case ready(ReadyState)
    case recording(RecordingState)
    case playing(PlayingState)
    case closed

    /// `nil` where there is none yet, or none any more.
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

/// A request that waits for the owner's verdict. The state is what it was until then.
enum PendingRequest: Hashable, Sendable {
    case announcement(RTSPRequest, RTSPAnnouncement, sessionID: String)
    case description(RTSPRequest, RTSPDescriptionRequest)
    case transport(PendingTransport)
    case recording(RTSPRequest, EstablishedSession)
    case playing(RTSPRequest, EstablishedSession)
}

struct PendingTransport: Hashable, Sendable {
    var request: RTSPRequest
    /// A reader's first SETUP makes it.
    var session: EstablishedSession
    var trackIndex: Int
}
