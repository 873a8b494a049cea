import LogMetadata
import Logging
import MediaCore
import NIOCore
import Synchronization

/// Counts the HTTP connections of all listeners together, and rejects those beyond the limits. Some of these are
/// admitted into the reserve for operators, where they have to show a credential (`OperatorReserveHandler`).
final class HTTPConnectionRegistry: Sendable {
    typealias Limits = HTTPConnectionPlaces.Limits

    /// A connection in the reserve.
    private struct Reserved {
        var number: Int
        var channel: any Channel
    }

    private struct State {
        var places: HTTPConnectionPlaces
        var nextNumber = 0
        var reserved: [ObjectIdentifier: Reserved] = [:]
        var refusedCount = 0
        var nextLog = NIODeadline.uptimeNanoseconds(0)
    }

    private let state: Mutex<State>
    private let logger: Logger

    /// Interval of the log line for refused connections, which are counted in between.
    private static let logInterval = Duration.seconds(10)
    /// Time in which a connection in the reserve must show a credential, its TLS handshake included.
    static let proofTimeout = Duration.seconds(5)

    init(limits: Limits = Limits(), logger: Logger) {
        state = Mutex(State(places: HTTPConnectionPlaces(limits)))
        self.logger = logger
    }

    /// Number of open connections.
    var count: Int { state.withLock(\.places.count) }

    /// Counts a connection until it is closed or the returned value is released. A connection beyond the limits, for
    /// which there is no place in the reserve either, is closed here, because NIO leaves a connection open if its setup
    /// fails.
    ///
    /// - Throws: `HTTPConnectionRefused`
    @discardableResult
    func admit(_ channel: any Channel) throws(HTTPConnectionRefused) -> HTTPConnectionCount {
        let group = AddressGroup(channel.remoteAddress)
        let key = ObjectIdentifier(channel)
        let (number, admission, evicted) = state.withLock { state in
            let number = state.nextNumber
            state.nextNumber += 1
            let admission = state.places.admit(number, from: group)
            var evicted: (any Channel)?
            if case .reserved(let leaving) = admission {
                if let leaving, let left = state.reserved.first(where: { $0.value.number == leaving }) {
                    evicted = left.value.channel
                    state.reserved[left.key] = nil
                }
                state.reserved[key] = Reserved(number: number, channel: channel)
            }
            return (number, admission, evicted)
        }
        let counted: HTTPConnectionCount
        switch admission {
        case .ordinary: counted = HTTPConnectionCount(self, group, reservedNumber: nil)
        case .reserved:
            counted = HTTPConnectionCount(self, group, reservedNumber: number)
            closeUnlessProven(channel, number)
        case .refused(let reason):
            logRefusal(of: group, because: reason)
            channel.close(promise: nil)
            throw HTTPConnectionRefused(refusal: reason)
        }
        if let evicted {
            logRefusal(of: AddressGroup(evicted.remoteAddress), because: .tooManyConnections)
            evicted.close(promise: nil)
        }
        channel.closeFuture.whenComplete { _ in counted.acceptedChannelClosed() }
        return counted
    }

    private func closeUnlessProven(_ channel: any Channel, _ number: Int) {
        let deadline = channel.eventLoop.scheduleTask(in: TimeAmount(Self.proofTimeout)) { [weak self, weak channel] in
            guard let self, state.withLock({ $0.places.isUnproven(number) }) else { return }
            channel?.close(promise: nil)
        }
        channel.closeFuture.whenComplete { _ in deadline.cancel() }
    }

    /// Whether a connection, or a stream of it, has still to show the credential of an operator.
    func isUnproven(_ channel: any Channel) -> Bool {
        state.withLock { state in
            guard !state.reserved.isEmpty, let reserved = Self.entry(of: channel, in: state) else { return false }
            return state.places.isUnproven(reserved.number)
        }
    }

    /// Keeps a connection in the reserve, because it, or a stream of it, has shown the credential of an operator.
    func prove(_ channel: any Channel) {
        state.withLock { state in
            if let reserved = Self.entry(of: channel, in: state) { state.places.prove(reserved.number) }
        }
    }

    /// An HTTP/2 stream is a channel whose parent is the connection.
    private static func entry(of channel: any Channel, in state: State) -> Reserved? {
        state.reserved[ObjectIdentifier(channel)]
            ?? channel.parent.flatMap { state.reserved[ObjectIdentifier($0)] }
    }

    /// Logs that a connection was refused, at most one line in ``logInterval``.
    func logRefusal(of group: AddressGroup, because reason: HTTPConnectionPlaces.Refusal) {
        let refusedCount = state.withLock { state in
            state.refusedCount += 1
            let now = NIODeadline.now()
            guard now >= state.nextLog else { return 0 }
            state.nextLog = now + TimeAmount(Self.logInterval)
            defer { state.refusedCount = 0 }
            return state.refusedCount
        }
        guard refusedCount > 0 else { return }
        logger.notice(
            "HTTP connections refused",
            metadata: [.peerAddress: "\(group)", .reason: "\(reason.rawValue)", .count: "\(refusedCount)"])
    }

    /// Notes that a connection has another channel.
    func move(_ counted: HTTPConnectionCount, to channel: any Channel) {
        guard let number = counted.reservedNumber else { return }
        state.withLock { state in
            guard let key = state.reserved.first(where: { $0.value.number == number })?.key else { return }
            state.reserved[key] = nil
            state.reserved[ObjectIdentifier(channel)] = Reserved(number: number, channel: channel)
        }
    }

    func remove(_ counted: HTTPConnectionCount) {
        state.withLock { state in
            guard let number = counted.reservedNumber else { return state.places.removeOrdinary(from: counted.group) }
            state.places.removeReserved(number)
            if let key = state.reserved.first(where: { $0.value.number == number })?.key { state.reserved[key] = nil }
        }
    }
}
