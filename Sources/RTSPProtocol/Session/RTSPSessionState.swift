import NIOCore
import SessionDescription

// There is one struct per state, so that an event can only use values that exist in the state.

/// A connection without a session.
struct IdleState: Hashable, Sendable {
    /// Presentation of the last answered DESCRIBE, which a SETUP may refer to; `nil` if there is none.
    var presentation: RTSPPresentation?
}

/// The values of every state after an accepted ANNOUNCE or a reader's first SETUP.
struct EstablishedSession: Hashable, Sendable {
    enum Role: Hashable, Sendable {
        case recording(RTSPAnnouncement)
        case reading(RTSPPresentation)
    }

    var id: String
    var role: Role
    /// URLs of the tracks that have a transport, as named in SETUP, keyed by track index.
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

/// The state Ready of RFC 2326 §A.2, which may be followed by SETUP, and then by RECORD or PLAY.
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

/// A request that awaits the owner's verdict. The state does not change until then.
enum PendingRequest: Hashable, Sendable {
    case announcement(RTSPRequest, RTSPAnnouncement, sessionID: String)
    case description(RTSPRequest, RTSPDescriptionRequest)
    case transport(PendingTransport)
    case recording(RTSPRequest, EstablishedSession)
    case playing(RTSPRequest, EstablishedSession)
}

struct PendingTransport: Hashable, Sendable {
    var request: RTSPRequest
    /// The session; for a reader's first SETUP, the one that it will create.
    var session: EstablishedSession
    var trackIndex: Int
}
