import MediaCore
import NIOCore
import StreamConnections
import Synchronization

/// Lends pairs of ports from a range in rotation, so that a publisher that reconnects does not receive its old
/// packets.
///
/// Readers may use three quarters of the pairs, so that a publisher always finds one. Each address group has a share,
/// so that one subscriber cannot take all.
final class UDPPortAllocator: Sendable {
    /// The purpose of a pair of ports.
    enum Purpose: Hashable, Sendable {
        case publishing
        case playing
    }

    /// The borrower of a pair of ports.
    struct Borrower: Hashable, Sendable {
        var purpose: Purpose
        var group: AddressGroup
        /// RTSP connection that sets up the track.
        var connection: ObjectIdentifier
    }

    struct Lease: Hashable, Sendable {
        let rtp: Int
        fileprivate let index: Int

        var rtcp: Int { rtp + 1 }
    }

    /// The reason why no pair can be lent.
    enum Shortage: Error, Hashable, Sendable {
        /// All pairs that may be lent for this purpose are in use.
        case range
        /// The address group has as many pairs as it may have.
        case addressGroup
    }

    private struct State {
        var borrowers: [Int: Borrower] = [:]
        var cursor = 0
    }

    private let firstPort: Int
    private let pairCount: Int
    private let state = Mutex(State())

    init(range: ClosedRange<UInt16>) {
        // RTP uses even ports (RFC 3550 §11).
        firstPort = range.lowerBound % 2 == 0 ? Int(range.lowerBound) : Int(range.lowerBound) + 1
        pairCount = max(0, (Int(range.upperBound) - firstPort + 1) / 2)
    }

    /// Smallest share of an address group; a household has a few cameras or players.
    private static let minimumGroupShare = 8

    private func groupShare(_ purpose: Purpose) -> Int {
        switch purpose {
        case .publishing: max(Self.minimumGroupShare, pairCount / 2)
        case .playing: max(Self.minimumGroupShare, pairCount / 4)
        }
    }

    /// Lends a pair that this program does not use. Only binding shows whether another program uses it.
    func lend(to borrower: Borrower) throws(Shortage) -> Lease {
        try state.withLock { state throws(Shortage) in
            let (purpose, group) = (borrower.purpose, borrower.group)
            let lent = state.borrowers.values.count { $0.purpose == purpose }
            let reserve = purpose == .playing ? pairCount / ConnectionLimits.publisherShare : 0
            guard state.borrowers.count < pairCount, lent < pairCount - reserve else { throw .range }
            let lentToGroup = state.borrowers.values.count { $0.purpose == purpose && $0.group == group }
            guard lentToGroup < groupShare(purpose) else { throw .addressGroup }
            while state.borrowers[state.cursor] != nil { state.cursor = (state.cursor + 1) % pairCount }
            let index = state.cursor
            state.borrowers[index] = borrower
            state.cursor = (index + 1) % pairCount
            return Lease(rtp: firstPort + index * 2, index: index)
        }
    }

    /// Takes back a pair, which may then be lent again.
    func takeBack(_ lease: Lease) { state.withLock { $0.borrowers[lease.index] = nil } }

    /// Connections that have borrowed ports.
    var connections: Set<ObjectIdentifier> { state.withLock { Set($0.borrowers.values.map(\.connection)) } }

    var lentCount: Int { state.withLock { $0.borrowers.count } }
}
