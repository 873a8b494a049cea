import DequeModule
import LibAV
import MediaCore
import NIOCore

/// Units that wait for a live worker, within ``LiveTranscodingLimits``. What does not fit is dropped; of video, with
/// everything up to the next random access point, because nothing in between can be decoded.
struct LiveUnitBacklog {
    private let limits: LiveTranscodingLimits
    private let dropsUntilRandomAccess: Bool
    private var units: Deque<AccessUnit> = []
    private var byteCount = 0
    private var isWaitingForRandomAccess: Bool
    private var isClosed = false
    /// The worker is being started again: what is dropped meanwhile is not an overload.
    private var isRecovering = false
    /// A task on the event loop is on its way that takes units out.
    private var isScheduled = false

    enum Addition: Equatable {
        /// - Parameter mustSchedule: the caller has somebody take the units out.
        case queued(mustSchedule: Bool)
        case dropped
        /// Dropped without being anybody's fault.
        case awaitingRecovery
    }

    init(limits: LiveTranscodingLimits, dropsUntilRandomAccess: Bool) {
        self.limits = limits
        self.dropsUntilRandomAccess = dropsUntilRandomAccess
        isWaitingForRandomAccess = dropsUntilRandomAccess
    }

    mutating func append(_ unit: AccessUnit) -> Addition {
        guard !isClosed, case .frame(let payload) = unit.payload else { return .dropped }
        if isRecovering, isWaitingForRandomAccess, !unit.isRandomAccessPoint { return .awaitingRecovery }
        let fits =
            units.count < limits.maximumQueuedUnitCount
            && payload.readableBytes <= limits.maximumQueuedByteCount - byteCount
        guard fits, !isWaitingForRandomAccess || unit.isRandomAccessPoint else {
            isWaitingForRandomAccess = dropsUntilRandomAccess
            return isRecovering ? .awaitingRecovery : .dropped
        }
        isWaitingForRandomAccess = false
        byteCount += payload.readableBytes
        units.append(unit)
        defer { isScheduled = true }
        return .queued(mustSchedule: !isScheduled)
    }

    mutating func popFirst() -> AccessUnit? {
        guard let unit = units.popFirst() else { return nil }
        byteCount -= unit.payload.byteCount
        return unit
    }

    mutating func noteTaken() { isScheduled = false }

    /// The worker has gone with what it knew of earlier frames. Audio that waits is still good.
    mutating func beginRecovery() {
        isRecovering = true
        guard dropsUntilRandomAccess else { return }
        (units, byteCount, isWaitingForRandomAccess) = ([], 0, true)
    }

    /// A worker has made something again.
    mutating func endRecovery() { isRecovering = false }

    mutating func close() {
        isClosed = true
        (units, byteCount) = ([], 0)
    }
}
