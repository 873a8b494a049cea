import Synchronization

/// Collects the listeners' ports and reports them once all are known.
final class ListenerPorts: Sendable {
    private struct State {
        var awaited: Set<ListenerName>
        var ports: [ListenerName: Int] = [:]
        var isReported = false
    }

    private let state: Mutex<State>
    private let report: @Sendable ([ListenerName: Int]) -> Void

    /// - Parameter report: called once, when all awaited listeners are bound.
    init(awaiting awaited: Set<ListenerName>, report: @escaping @Sendable ([ListenerName: Int]) -> Void) {
        state = Mutex(State(awaited: awaited))
        self.report = report
    }

    subscript(name: ListenerName) -> Int? { state.withLock { $0.ports[name] } }
    var isComplete: Bool { state.withLock { $0.awaited.isEmpty } }

    /// Records the port of a listener.
    ///
    /// - Parameter port: `nil` if the server runs without the listener.
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
