import NIOCore
import SessionDescription

// One struct per state: what a state does not hold, no event can use in it.

/// A connection without a session.
struct IdleState: Hashable, Sendable {}

/// ANNOUNCE was read; the server has not decided.
struct AnnouncingState: Hashable, Sendable {
    var request: RTSPRequest
    var announcement: RTSPAnnouncement
    var sessionID: String
}

/// What every state from an accepted ANNOUNCE on has.
struct EstablishedSession: Hashable, Sendable {
    var id: String
    var announcement: RTSPAnnouncement
    /// Positions of the tracks that have a transport.
    var preparedTracks: Set<Int> = []

    var trackControl: TrackControl {
        TrackControl(base: announcement.url, controls: announcement.description.media.map(\.control))
    }
}

/// Announced; SETUP and RECORD are what may follow.
struct ReadyState: Hashable, Sendable {
    var session: EstablishedSession
}

/// SETUP was read; the transport is being prepared.
struct PreparingTransportState: Hashable, Sendable {
    var session: EstablishedSession
    var request: RTSPRequest
    var trackIndex: Int
}

/// RECORD was read; the channel is being taken.
struct StartingState: Hashable, Sendable {
    var session: EstablishedSession
    var request: RTSPRequest
}

struct RecordingState: Hashable, Sendable {
    var session: EstablishedSession
}

enum RTSPSessionState: Hashable, Sendable {
    case idle(IdleState)
    case announcing(AnnouncingState)
    case ready(ReadyState)
    case preparingTransport(PreparingTransportState)
    case starting(StartingState)
    case recording(RecordingState)
    case closed

    /// `nil` where there is none yet, or none any more.
    var session: EstablishedSession? {
        switch self {
        case .ready(let state): state.session
        case .preparingTransport(let state): state.session
        case .starting(let state): state.session
        case .recording(let state): state.session
        case .idle, .announcing, .closed: nil
        }
    }
}
