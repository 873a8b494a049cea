import LibAV
import Synchronization

/// The settings that a capture's threads check between two frames; they can be changed from any thread.
final class BroadcastControl: Sendable {
    private let state: Mutex<State>
    let interruption: Interruption

    private struct State {
        var videoBitRate: Int
        var preview: PreviewRequest?
        var statistics = BroadcastCaptureStatistics()
    }

    init(videoBitRate: Int) {
        state = Mutex(State(videoBitRate: videoBitRate))
        let flag = StopFlag()
        self.flag = flag
        interruption = Interruption { flag.isSet.load(ordering: .relaxed) }
    }

    private let flag: StopFlag

    private final class StopFlag: Sendable {
        let isSet = Atomic(false)
    }

    /// Requests that the capture stops.
    func stop() { flag.isSet.store(true, ordering: .relaxed) }
    var shouldStop: Bool { interruption.isRequested }

    /// Bits per second.
    var videoBitRate: Int {
        get { state.withLock { $0.videoBitRate } }
        set { state.withLock { $0.videoBitRate = newValue } }
    }

    /// The wanted previews; `nil` for none.
    var preview: PreviewRequest? {
        get { state.withLock { $0.preview } }
        set { state.withLock { $0.preview = newValue } }
    }

    var statistics: BroadcastCaptureStatistics { state.withLock { $0.statistics } }
    /// Changes the statistics.
    func count(_ change: (inout BroadcastCaptureStatistics) -> Void) { state.withLock { change(&$0.statistics) } }
}
