import Glibc
import Synchronization

/// What a capture's threads look at between two pictures: written from anywhere.
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

    func stop() { flag.isSet.store(true, ordering: .relaxed) }
    var shouldStop: Bool { interruption.isRequested }

    var videoBitRate: Int {
        get { state.withLock { $0.videoBitRate } }
        set { state.withLock { $0.videoBitRate = newValue } }
    }

    var preview: PreviewRequest? {
        get { state.withLock { $0.preview } }
        set { state.withLock { $0.preview = newValue } }
    }

    var statistics: BroadcastCaptureStatistics { state.withLock { $0.statistics } }
    func count(_ change: (inout BroadcastCaptureStatistics) -> Void) { state.withLock { change(&$0.statistics) } }
}

/// Since the start.
public struct BroadcastCaptureStatistics: Hashable, Sendable {
    /// Pictures that came, before those too many for the preset are left out.
    public var capturedPictureCount = 0
    /// Pictures that were handed on.
    public var encodedPictureCount = 0
    /// Pictures that came when their time had passed: this machine is too slow.
    public var latePictureCount = 0

    /// Nothing has been captured yet.
    public init() {}
}
