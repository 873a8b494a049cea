import Synchronization

/// The ports in use, once both listeners have theirs.
final class ListenerPorts: Sendable {
    private struct State {
        var http: Int?
        var rtsp: Int?
        var isReported = false
    }

    private let state = Mutex(State())
    private let report: @Sendable (_ http: Int, _ rtsp: Int) -> Void

    /// - Parameter report: called once.
    init(report: @escaping @Sendable (_ http: Int, _ rtsp: Int) -> Void) {
        self.report = report
    }

    var rtsp: Int? { state.withLock { $0.rtsp } }
    var isComplete: Bool { state.withLock { $0.http != nil && $0.rtsp != nil } }

    func set(http: Int) { update { $0.http = http } }
    func set(rtsp: Int) { update { $0.rtsp = rtsp } }

    private func update(_ change: (inout State) -> Void) {
        let complete: (Int, Int)? = state.withLock { state in
            change(&state)
            guard let http = state.http, let rtsp = state.rtsp, !state.isReported else { return nil }
            state.isReported = true
            return (http, rtsp)
        }
        if let (http, rtsp) = complete { report(http, rtsp) }
    }
}
