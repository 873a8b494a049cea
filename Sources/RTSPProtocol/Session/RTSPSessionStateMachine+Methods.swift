extension RTSPSessionStateMachine {
    /// All methods that the server supports, as listed in `Public`.
    package static let supportedMethods: [RTSPMethod] = [
        .options, .describe, .announce, .setup, .play, .pause, .record, .getParameter, .setParameter, .teardown,
    ]

    /// Methods for `Allow`: those that would not be answered with 454, 455 or 405 in the current state.
    var validMethods: [RTSPMethod] {
        let always: [RTSPMethod] = [.options, .describe, .getParameter, .setParameter]
        return switch state {
        case .idle: always + [.announce, .setup]
        case .ready(let ready):
            always + [.setup, .teardown]
                + (ready.session.preparedTracks.isEmpty ? [] : [ready.session.isForPlayback ? .play : .record])
        case .recording: always + [.record, .pause, .teardown]
        case .playing: always + [.play, .pause, .teardown]
        case .closed: []
        }
    }
}

extension RTSPMethod {
    static func list(_ methods: [RTSPMethod]) -> String { methods.map(\.rawValue).joined(separator: ", ") }
}
