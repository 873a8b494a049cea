import DequeModule
import MediaCore
import NIOCore
import Transcoding

/// The queue of access units for a live worker, limited by `LiveTranscodingLimits`. A unit that does not fit is
/// dropped; for video, so is everything up to the next random access point, because nothing in between can be decoded.
struct LiveUnitBacklog {
    private let limits: LiveTranscodingLimits
    private let dropsUntilRandomAccess: Bool
    /// Whether the units since the last random access point are kept for another worker.
    private let keepsGroup: Bool
    /// The units since the last random access point; empty if they are more than the queue may hold.
    private var group: [AccessUnit] = []
    private var groupByteCount = 0
    /// Units of the group that come again before the queued ones.
    private var replayed: Deque<AccessUnit> = []
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

    /// - Parameters:
    ///   - dropsUntilRandomAccess: whether units up to the next random access point are dropped with one that is.
    ///   - keepsGroup: whether a worker that is restarted can begin in the middle of a group of pictures.
    init(limits: LiveTranscodingLimits, dropsUntilRandomAccess: Bool, keepsGroup: Bool = false) {
        self.limits = limits
        (self.dropsUntilRandomAccess, self.keepsGroup) = (dropsUntilRandomAccess, keepsGroup)
        isWaitingForRandomAccess = dropsUntilRandomAccess
    }

    mutating func append(_ unit: AccessUnit) -> Addition {
        guard !isClosed, case .frame(let payload) = unit.payload else { return .dropped }
        keep(unit, byteCount: payload.readableBytes)
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

    private mutating func keep(_ unit: AccessUnit, byteCount: Int) {
        guard keepsGroup else { return }
        if unit.isRandomAccessPoint { (group, groupByteCount) = ([], 0) }
        guard unit.isRandomAccessPoint || !group.isEmpty else { return }
        guard group.count < limits.maximumQueuedUnitCount,
            byteCount <= limits.maximumQueuedByteCount - groupByteCount
        else { return (group, groupByteCount) = ([], 0) }
        group.append(unit)
        groupByteCount += byteCount
    }

    mutating func popFirst() -> AccessUnit? {
        if let unit = replayed.popFirst() { return unit }
        guard let unit = units.popFirst() else { return nil }
        byteCount -= unit.payload.byteCount
        return unit
    }

    /// Lets a new worker begin with the group of pictures that the former one was in.
    ///
    /// - Returns: the newest time in the group, from which on pictures are needed; `nil` if the worker begins with a
    ///   random access point that is queued or still to come.
    mutating func replayGroup() -> Int64? {
        guard isRecovering, isWaitingForRandomAccess, let newest = group.map(\.presentationTime).max() else {
            return nil
        }
        replayed = Deque(group)
        isWaitingForRandomAccess = false
        return newest
    }

    mutating func noteTaken() { isScheduled = false }

    /// Starts the recovery from a worker that ended. Its decoder state is lost; queued audio can still be decoded.
    mutating func beginRecovery() {
        isRecovering = true
        guard dropsUntilRandomAccess else { return }
        (units, byteCount, isWaitingForRandomAccess) = ([], 0, true)
        replayed = []
    }

    /// Ends the recovery, because the new worker has produced output.
    mutating func endRecovery() { isRecovering = false }

    mutating func close() {
        isClosed = true
        (units, byteCount, replayed, group) = ([], 0, [], [])
    }
}
