import MediaCore
import NIOCore
import Synchronization

/// The memory that requests of all HTTP connections may take together, whatever version of HTTP they use: their heads,
/// the bodies that arrive, and the answers that their clients have not taken.
///
/// When it is used up, the connection goes that has held memory for the longest time without getting on. Somebody who
/// takes what he has asked for holds memory for milliseconds and is never that one. If all have got on, one that holds
/// much goes for one that holds little, and for answers, which exist already.
final class RequestBudget: Sendable {
    struct Limits: Sendable, Equatable {
        /// Limit for all connections together.
        var byteCount = 64 << 20
        /// Limit for one address. Clients on this machine are exempt, because behind a proxy all clients have its
        /// address.
        var addressByteCount = 16 << 20
        /// Limit for one connection, beyond which it gets no further request: a page with a hundred pictures that are
        /// requested at once over HTTP/2. One answer may be larger.
        var connectionByteCount = 4 << 20
        /// A connection that has got on within this time does not have to leave.
        var stay = Duration.milliseconds(500)
        /// Holding less than this, a connection gets on with each answer that it takes; holding more, it has to take
        /// as much. Otherwise one small request now and then would protect all that lies.
        var smallByteCount = 32 << 10
    }

    /// The memory that a connection holds.
    private struct Holding {
        var byteCount: Int
        var group: AddressGroup
        var lastProgress: NIODeadline
        var close: @Sendable () -> Void
        /// The neighbours in the order of progress.
        var previous: Int?
        var next: Int?
    }

    private struct State {
        var byteCount = 0
        var byteCountByAddress: [AddressGroup: Int] = [:]
        var holdings: [Int: Holding] = [:]
        /// The connection that has not got on for the longest time, and the one that got on last.
        var oldest: Int?
        var newest: Int?
        var nextNumber = 0
        var closedCount = 0
    }

    let limits: Limits
    private let state = Mutex(State())
    private let now: @Sendable () -> NIODeadline

    /// - Parameters:
    ///   - limits: the limits; tests have smaller ones.
    ///   - now: the time.
    init(limits: Limits = Limits(), now: @escaping @Sendable () -> NIODeadline = { .now() }) {
        self.limits = limits
        self.now = now
    }

    /// Bytes that are held now.
    var byteCount: Int { state.withLock(\.byteCount) }
    /// True if more than half is used.
    var isShort: Bool { byteCount > limits.byteCount / 2 }
    /// Connections that hold something now.
    var connectionCount: Int { state.withLock(\.holdings.count) }
    /// Connections that had to leave so far.
    var closedCount: Int { state.withLock(\.closedCount) }

    /// The account of a connection.
    ///
    /// - Parameters:
    ///   - group: the address of the peer.
    ///   - close: closes the connection; called at most once, on any thread.
    func account(of group: AddressGroup, close: @escaping @Sendable () -> Void) -> RequestAccount {
        let number = state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        return RequestAccount(self, number: number, group: group, close: close)
    }

    /// Takes memory that is about to be used.
    ///
    /// - Returns: false, without any effect on this connection, if it may not have so much.
    func take(_ byteCount: Int, for account: RequestAccount) -> Bool {
        let (isTaken, leaving) = state.withLock { state -> (Bool, [@Sendable () -> Void]) in
            let held = (state.holdings[account.number]?.byteCount ?? 0) + byteCount
            guard held <= limits.connectionByteCount, fitsAddress(byteCount, account.group, state) else {
                return (false, [])
            }
            var leaving = makeRoom(for: byteCount, except: account.number, &state)
            if held <= limits.smallByteCount {
                leaving += letLargeOnesGo(for: byteCount, except: account.number, &state)
            }
            guard state.byteCount + byteCount <= limits.byteCount else { return (false, leaving) }
            add(byteCount, account, &state)
            return (true, leaving)
        }
        for close in leaving { close() }
        return isTaken
    }

    /// Counts memory that is in use already. If it is too much for all together, somebody has to leave who holds much,
    /// possibly this connection.
    func add(_ byteCount: Int, for account: RequestAccount) {
        let leaving = state.withLock { state in
            add(byteCount, account, &state)
            return makeRoom(for: 0, except: nil, &state) + letLargeOnesGo(for: 0, except: nil, &state)
        }
        for close in leaving { close() }
    }

    /// Gives memory back.
    ///
    /// - Parameter isProgress: whether the client has done its part.
    func give(_ byteCount: Int, of account: RequestAccount, isProgress: Bool) {
        state.withLock { state in
            guard let holding = state.holdings[account.number] else { return }
            let returned = min(byteCount, holding.byteCount)
            count(-returned, holding.group, &state)
            state.holdings[account.number]?.byteCount -= returned
            if returned == holding.byteCount {
                remove(account.number, &state)
            } else if isProgress,
                holding.byteCount - returned <= limits.smallByteCount || returned > limits.smallByteCount
            {
                renew(account.number, &state)
            }
        }
    }

    /// Notes that a client has sent or taken so much that it may stay.
    func noteProgress(of account: RequestAccount) {
        state.withLock { state in if state.holdings[account.number] != nil { renew(account.number, &state) } }
    }

    /// Gives back all that a connection holds, because it has ended.
    func end(_ account: RequestAccount) { state.withLock { state in _ = leave(account.number, &state) } }

    // MARK: Inside the lock

    private func fitsAddress(_ byteCount: Int, _ group: AddressGroup, _ state: State) -> Bool {
        group.isLoopback || (state.byteCountByAddress[group] ?? 0) + byteCount <= limits.addressByteCount
    }

    /// Lets connections go that have not got on, until there is room.
    ///
    /// - Returns: what closes them.
    private func makeRoom(for byteCount: Int, except number: Int?, _ state: inout State) -> [@Sendable () -> Void] {
        guard state.byteCount + byteCount > limits.byteCount else { return [] }
        var leaving: [@Sendable () -> Void] = []
        let latest = now() - TimeAmount(limits.stay)
        while state.byteCount + byteCount > limits.byteCount, let oldest = state.oldest, oldest != number,
            let holding = state.holdings[oldest], holding.lastProgress <= latest, let close = leave(oldest, &state)
        {
            state.closedCount += 1
            leaving.append(close)
        }
        return leaving
    }

    /// Lets those go that hold much, whether or not they have got on: a page is shown to somebody while others ask for
    /// more than there is room for, and what exists already cannot be refused.
    ///
    /// - Returns: what closes them.
    private func letLargeOnesGo(for byteCount: Int, except number: Int?, _ state: inout State) -> [@Sendable () -> Void]
    {
        var leaving: [@Sendable () -> Void] = []
        var next = state.oldest
        for _ in 0..<Self.maximumLookCount {
            guard state.byteCount + byteCount > limits.byteCount, let candidate = next,
                let holding = state.holdings[candidate]
            else { break }
            next = holding.next
            guard candidate != number, holding.byteCount > limits.smallByteCount, let close = leave(candidate, &state)
            else { continue }
            state.closedCount += 1
            leaving.append(close)
        }
        return leaving
    }

    /// Limit of the connections that are looked at for one request.
    private static let maximumLookCount = 100

    private func add(_ byteCount: Int, _ account: RequestAccount, _ state: inout State) {
        count(byteCount, account.group, &state)
        if state.holdings[account.number] != nil {
            state.holdings[account.number]?.byteCount += byteCount
        } else {
            state.holdings[account.number] = Holding(
                byteCount: byteCount, group: account.group, lastProgress: now(), close: account.close)
            append(account.number, &state)
        }
    }

    private func count(_ change: Int, _ group: AddressGroup, _ state: inout State) {
        state.byteCount += change
        guard !group.isLoopback else { return }
        let left = (state.byteCountByAddress[group] ?? 0) + change
        state.byteCountByAddress[group] = left > 0 ? left : nil
    }

    private func leave(_ number: Int, _ state: inout State) -> (@Sendable () -> Void)? {
        guard let holding = state.holdings[number] else { return nil }
        count(-holding.byteCount, holding.group, &state)
        remove(number, &state)
        return holding.close
    }

    private func renew(_ number: Int, _ state: inout State) {
        state.holdings[number]?.lastProgress = now()
        guard state.newest != number else { return }
        unlink(number, &state)
        append(number, &state)
    }

    private func remove(_ number: Int, _ state: inout State) {
        unlink(number, &state)
        state.holdings[number] = nil
    }

    private func append(_ number: Int, _ state: inout State) {
        state.holdings[number]?.previous = state.newest
        state.holdings[number]?.next = nil
        if let newest = state.newest { state.holdings[newest]?.next = number } else { state.oldest = number }
        state.newest = number
    }

    private func unlink(_ number: Int, _ state: inout State) {
        guard let holding = state.holdings[number] else { return }
        if let previous = holding.previous {
            state.holdings[previous]?.next = holding.next
        } else {
            state.oldest = holding.next
        }
        if let next = holding.next {
            state.holdings[next]?.previous = holding.previous
        } else {
            state.newest = holding.previous
        }
    }
}
