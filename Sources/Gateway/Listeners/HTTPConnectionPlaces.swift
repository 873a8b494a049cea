import MediaCore

/// Decides which HTTP connections have a place. A pure state, without connections or time.
///
/// Beyond the limits there is a reserve for operators, so that a flood of viewers does not keep out those who can do
/// something about it. A connection in the reserve is unproven until it has shown the credential of an operator. If the
/// reserve is full, the oldest unproven connection has to leave; one from another machine before one from this machine,
/// so that the command line on the server gets through in any case.
struct HTTPConnectionPlaces {
    struct Limits: Sendable {
        /// Limit of all connections: four fifths of the open files that the server requests. The others are for media,
        /// RTSP and UDP ports.
        var connectionCount = 52_428
        /// Limit of connections per address, more than a household, a school or a mobile network behind one address
        /// needs. Clients on this machine are not limited, because behind a reverse proxy all clients have its address.
        var connectionCountPerAddress = 1_024
        /// Additional connections for operators. A browser opens up to six, a script one.
        var reservedCount = 64
        /// Limit of unproven connections in the reserve per address; again, this machine has none.
        var unprovenCountPerAddress = 8
    }

    enum Refusal: String, Sendable {
        case tooManyConnections = "too many connections"
        case tooManyFromAddress = "too many connections from this address"
    }

    enum Admission: Equatable {
        case ordinary
        /// In the reserve.
        ///
        /// - Parameter leaving: an unproven connection that has lost its place and must be closed; `nil` if none.
        case reserved(leaving: Int?)
        case refused(Refusal)
    }

    private struct Reserved {
        var group: AddressGroup
        var isProven = false
    }

    private let limits: Limits
    private var ordinaryCount = 0
    private var countByAddress: [AddressGroup: Int] = [:]
    /// The connections in the reserve, by number.
    private var reserved: [Int: Reserved] = [:]

    init(_ limits: Limits) { self.limits = limits }

    /// Number of open connections.
    var count: Int { ordinaryCount + reserved.count }

    /// Gives a new connection a place if there is one.
    ///
    /// - Parameters:
    ///   - number: the number of the connection, higher than that of all before.
    ///   - group: the address of the peer.
    mutating func admit(_ number: Int, from group: AddressGroup) -> Admission {
        guard let refusal = ordinaryRefusal(of: group) else {
            ordinaryCount += 1
            countByAddress[group, default: 0] += 1
            return .ordinary
        }
        let unproven = reserved.filter { !$0.value.isProven }
        if !group.isLoopback, unproven.values.count(where: { $0.group == group }) >= limits.unprovenCountPerAddress {
            return .refused(refusal)
        }
        var leaving: Int?
        if reserved.count >= limits.reservedCount {
            leaving = unproven.filter { !$0.value.group.isLoopback }.keys.min()
            if leaving == nil, group.isLoopback { leaving = unproven.keys.min() }
            guard let leaving else { return .refused(refusal) }
            reserved[leaving] = nil
        }
        reserved[number] = Reserved(group: group)
        return .reserved(leaving: leaving)
    }

    private func ordinaryRefusal(of group: AddressGroup) -> Refusal? {
        if ordinaryCount >= limits.connectionCount { return .tooManyConnections }
        guard !group.isLoopback else { return nil }
        return countByAddress[group, default: 0] >= limits.connectionCountPerAddress ? .tooManyFromAddress : nil
    }

    /// Whether a connection is in the reserve and has not shown the credential of an operator.
    func isUnproven(_ number: Int) -> Bool { reserved[number].map { !$0.isProven } ?? false }

    /// Keeps a connection in the reserve until it is closed, because it has shown the credential of an operator.
    mutating func prove(_ number: Int) { reserved[number]?.isProven = true }

    /// Frees the place of a connection that was admitted as ``Admission/ordinary``.
    mutating func removeOrdinary(from group: AddressGroup) {
        ordinaryCount -= 1
        let left = (countByAddress[group] ?? 1) - 1
        countByAddress[group] = left > 0 ? left : nil
    }

    /// Frees the place of a connection in the reserve, if it still has it.
    mutating func removeReserved(_ number: Int) { reserved[number] = nil }
}

extension HTTPConnectionPlaces.Limits {
    /// The limits of a server that may have so many open files and sockets.
    init(openFileLimit: Int) {
        self.init()
        connectionCount = min(connectionCount, openFileLimit / 5 * 4)
    }
}
