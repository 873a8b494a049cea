import DequeModule
import NIOCore
import Synchronization
import MediaCore

/// The memory budget of responses in progress that are not cached anyway: pieces read from disk, MPEG-TS muxed on
/// request, and live segments that have left their window.
///
/// Otherwise a client that requests media and does not read it would determine how much memory the server needs. When
/// the budget is used up, requests wait: addresses take turns, and the requests of one address keep their order.
package final class DeliveryBudget: Sendable {
    enum Outcome {
        case granted(DeliveryClaim)
        /// The request has to wait.
        ///
        /// - Parameter cancel: stops waiting; the future then fails.
        case waiting(EventLoopFuture<DeliveryClaim>, cancel: @Sendable () -> Void)
        /// The request is refused, because too many are waiting or the demand exceeds the whole budget.
        case refused
    }

    /// The claim was not granted in time, or was cancelled.
    struct Unavailable: Error {}

    private struct Waiter {
        var number: Int
        var demand: Demand
        var eventLoop: any EventLoop
        var promise: EventLoopPromise<DeliveryClaim>
    }

    struct Demand {
        /// Number of bytes held because of this request, shared or not.
        var byteCount: Int
        /// True if another request's charge covers the bytes already.
        var isShared = false
    }

    private struct State {
        var usedByteCount = 0
        var usedByGroup: [AddressGroup: Int] = [:]
        var waiting: [AddressGroup: Deque<Waiter>] = [:]
        /// Waiting addresses; the first one is next.
        var rotation: Deque<AddressGroup> = []
        var waitingCount = 0
        var lastNumber = 0
    }

    private let state = Mutex(State())
    private let maximumByteCount: Int
    private let maximumGroupByteCount: Int

    /// Default size of the budget: a thousand transfers in pieces, or a few dozen large MPEG-TS segments.
    package static let defaultByteCount = 256 << 20
    /// One address may use this fraction of the budget. Clients on this machine are exempt, because behind a proxy all
    /// clients have its address.
    static let groupShare = 4
    static let maximumWaitingCount = 1_024
    static let maximumWaitingCountPerGroup = 128
    /// Longest wait for a claim; players time out on a segment after about 10 s.
    static let maximumWait = Duration.seconds(8)

    package init(maximumByteCount: Int = DeliveryBudget.defaultByteCount) {
        self.maximumByteCount = maximumByteCount
        maximumGroupByteCount = maximumByteCount / Self.groupShare
    }

    /// Number of bytes in use.
    var usedByteCount: Int { state.withLock(\.usedByteCount) }
    var waitingCount: Int { state.withLock(\.waitingCount) }

    /// Claims memory for a response.
    ///
    /// - Parameters:
    ///   - group: the client's address.
    ///   - eventLoop: the event loop on which the future completes.
    func claim(_ demand: Demand, of group: AddressGroup, on eventLoop: any EventLoop) -> Outcome {
        let admission = state.withLock { state -> Admission in
            if state.waiting[group] == nil, state.rotation.isEmpty || !isShort(state, demand),
                fits(demand, of: group, in: state)
            {
                take(demand, of: group, in: &state)
                return .granted
            }
            guard demand.byteCount <= maximumByteCount, state.waitingCount < Self.maximumWaitingCount,
                state.waiting[group]?.count ?? 0 < Self.maximumWaitingCountPerGroup
            else { return .refused }
            state.lastNumber += 1
            let promise = eventLoop.makePromise(of: DeliveryClaim.self)
            if state.waiting[group] == nil { state.rotation.append(group) }
            state.waiting[group, default: []].append(
                Waiter(number: state.lastNumber, demand: demand, eventLoop: eventLoop, promise: promise))
            state.waitingCount += 1
            return .waiting(number: state.lastNumber, promise)
        }
        switch admission {
        case .granted: return .granted(DeliveryClaim(self, demand, group))
        case .refused: return .refused
        case .waiting(let number, let promise):
            let cancel: @Sendable () -> Void = { self.stopWaiting(number, group) }
            let timeout = eventLoop.scheduleTask(in: TimeAmount(Self.maximumWait), cancel)
            promise.futureResult.whenComplete { _ in timeout.cancel() }
            return .waiting(promise.futureResult, cancel: cancel)
        }
    }

    /// Claims memory that is already held, without waiting.
    ///
    /// - Returns: `nil` if the budget does not allow it now.
    func claimAtOnce(_ demand: Demand, of group: AddressGroup) -> DeliveryClaim? {
        let isGranted = state.withLock { state in
            guard fits(demand, of: group, in: state) else { return false }
            take(demand, of: group, in: &state)
            return true
        }
        return isGranted ? DeliveryClaim(self, demand, group) : nil
    }

    private enum Admission {
        case granted
        case waiting(number: Int, EventLoopPromise<DeliveryClaim>)
        case refused
    }

    /// Returns whether requests that wait for the whole budget come first.
    private func isShort(_ state: State, _ demand: Demand) -> Bool {
        guard let first = state.rotation.first, let waiter = state.waiting[first]?.first else { return false }
        return !demand.isShared && fitsGroup(waiter.demand, first, state)
    }

    private func fits(_ demand: Demand, of group: AddressGroup, in state: State) -> Bool {
        fitsGroup(demand, group, state)
            && (demand.isShared || state.usedByteCount + demand.byteCount <= maximumByteCount)
    }

    private func fitsGroup(_ demand: Demand, _ group: AddressGroup, _ state: State) -> Bool {
        guard !group.isLoopback else { return true }
        let used = state.usedByGroup[group] ?? 0
        return used == 0 || used + demand.byteCount <= maximumGroupByteCount
    }

    private func take(_ demand: Demand, of group: AddressGroup, in state: inout State) {
        state.usedByGroup[group, default: 0] += demand.byteCount
        if !demand.isShared { state.usedByteCount += demand.byteCount }
    }

    private func stopWaiting(_ number: Int, _ group: AddressGroup) {
        let promise: EventLoopPromise<DeliveryClaim>? = state.withLock { state in
            guard let index = state.waiting[group]?.firstIndex(where: { $0.number == number }) else { return nil }
            let waiter = state.waiting[group]?.remove(at: index)
            state.waitingCount -= 1
            if state.waiting[group]?.isEmpty == true {
                state.waiting[group] = nil
                state.rotation.removeAll { $0 == group }
            }
            return waiter?.promise
        }
        promise?.fail(Unavailable())
        // Smaller demands after it may be granted now.
        if promise != nil { release(0, 0, group) }
    }

    /// - Parameters:
    ///   - byteCount: bytes returned to the whole budget.
    ///   - groupByteCount: bytes returned to the share of the address.
    func release(_ byteCount: Int, _ groupByteCount: Int, _ group: AddressGroup) {
        let granted = state.withLock { state -> [(AddressGroup, Waiter)] in
            state.usedByteCount -= byteCount
            let left = (state.usedByGroup[group] ?? 0) - groupByteCount
            state.usedByGroup[group] = left > 0 ? left : nil
            return state.rotation.isEmpty ? [] : grantWaiting(&state)
        }
        for (group, waiter) in granted {
            let claim = DeliveryClaim(self, waiter.demand, group)
            // Completed asynchronously, because this may be called wherever the last reference to a claim is released.
            waiter.eventLoop.execute { waiter.promise.succeed(claim) }
        }
    }

    /// Grants one waiting request per address in turn, until the budget does not suffice for the next one.
    private func grantWaiting(_ state: inout State) -> [(AddressGroup, Waiter)] {
        var granted: [(AddressGroup, Waiter)] = []
        // Addresses that have used up their share do not block the others.
        var skipped = 0
        while skipped < state.rotation.count, let group = state.rotation.first,
            let waiter = state.waiting[group]?.first
        {
            if fitsGroup(waiter.demand, group, state) {
                guard fits(waiter.demand, of: group, in: state) else { break }
                take(waiter.demand, of: group, in: &state)
                state.waiting[group]?.removeFirst()
                state.waitingCount -= 1
                granted.append((group, waiter))
                skipped = 0
            } else {
                skipped += 1
            }
            state.rotation.removeFirst()
            if state.waiting[group]?.isEmpty == false {
                state.rotation.append(group)
            } else {
                state.waiting[group] = nil
            }
        }
        return granted
    }
}
