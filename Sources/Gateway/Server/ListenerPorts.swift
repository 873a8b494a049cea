import Synchronization

/// Who listens; the raw value is the name in `--print-ports`.
enum ListenerName: String, CaseIterable, Sendable {
    case http
    case https
    case rtsp
    case rtsps
    /// RTSP and HTTP on one port.
    case wowza
}

/// The ports in use, once all listeners have theirs.
final class ListenerPorts: Sendable {
    private struct State {
        var awaited: Set<ListenerName>
        var ports: [ListenerName: Int] = [:]
        var isReported = false
    }

    private let state: Mutex<State>
    private let report: @Sendable ([ListenerName: Int]) -> Void

    /// - Parameter report: called once.
    init(awaiting awaited: Set<ListenerName>, report: @escaping @Sendable ([ListenerName: Int]) -> Void) {
        state = Mutex(State(awaited: awaited))
        self.report = report
    }

    subscript(name: ListenerName) -> Int? { state.withLock { $0.ports[name] } }
    var isComplete: Bool { state.withLock { $0.awaited.isEmpty } }

    /// - Parameter port: `nil` for a listener that the server does without.
    func set(_ name: ListenerName, port: Int?) {
        let complete: [ListenerName: Int]? = state.withLock { state in
            state.awaited.remove(name)
            state.ports[name] = port
            guard state.awaited.isEmpty, !state.isReported else { return nil }
            state.isReported = true
            return state.ports
        }
        if let complete { report(complete) }
    }
}
