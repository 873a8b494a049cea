import DequeModule
import MediaCore
import NIOCore
import Transcoding

/// The queue of access units for a live worker, limited by `LiveTranscodingLimits`. A unit that does not fit is
/// dropped; for video, so is everything up to the next random access point, because nothing in between can be decoded.
struct LiveUnitBacklog {
    private let limits: LiveTranscodingLimits
    private let dropsUntilRandomAccess: Bool
    private var units: Deque<AccessUnit> = []
    private var byteCount = 0
    private var isWaitingForRandomAccess: Bool
    private var isClosed = false
    /// True while the worker is restarting; units dropped meanwhile do not count as overload.
    private var isRecovering = false
    /// True if a task that takes units out is scheduled on the event loop.
    private var isScheduled = false

    enum Addition: Equatable {
        /// The unit was queued.
        ///
        /// - Parameter mustSchedule: whether the caller has to schedule a task that takes the units out.
        case queued(mustSchedule: Bool)
        case dropped
        /// The unit was dropped because the worker is restarting.
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

    /// Starts the recovery from a worker that ended. Its decoder state is lost; queued audio can still be decoded.
    mutating func beginRecovery() {
        isRecovering = true
        guard dropsUntilRandomAccess else { return }
        (units, byteCount, isWaitingForRandomAccess) = ([], 0, true)
    }

    /// Ends the recovery, because the new worker has produced output.
    mutating func endRecovery() { isRecovering = false }

    mutating func close() {
        isClosed = true
        (units, byteCount) = ([], 0)
    }
}
