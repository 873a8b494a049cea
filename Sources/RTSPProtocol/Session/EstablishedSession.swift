import SessionDescription

/// The values of every state after an accepted ANNOUNCE or a reader's first SETUP.
struct EstablishedSession: Hashable, Sendable {
    enum Role: Hashable, Sendable {
        case recording(RTSPAnnouncement)
        case playing(RTSPPresentation)
    }

    var id: String
    var role: Role
    /// URLs of the tracks that have a transport, as named in SETUP, keyed by track index.
    var preparedTracks: [Int: String] = [:]

    var trackControl: TrackControl {
        switch role {
        case .recording(let announcement):
            TrackControl(base: announcement.url, controls: announcement.description.media.map(\.control))
        case .playing(let presentation): presentation.trackControl
        }
    }

    var trackCount: Int {
        switch role {
        case .recording(let announcement): announcement.description.media.count
        case .playing(let presentation): presentation.description.media.count
        }
    }

    var isForPlayback: Bool { if case .playing = role { true } else { false } }
}

extension RTSPPresentation {
    var trackControl: TrackControl { TrackControl(base: url, controls: description.media.map(\.control)) }
}
