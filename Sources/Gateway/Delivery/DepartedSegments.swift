import LiveChannels
import MediaCore
import Synchronization

/// Memory of a live segment or a part that a client holds until it has taken its answer.
struct LiveHolding: Sendable {
    let channel: LiveChannel
    let segment: LiveSegmentAddress
    let part: LivePartAddress?
    let byteCount: Int

    /// Whether the channel keeps it for everybody anyway.
    var isInWindow: Bool {
        if let part, channel.part(at: part) != nil { return true }
        return channel.segment(
            rendition: segment.rendition[...], mediaSequence: segment.mediaSequence, epoch: segment.epoch[...]) != nil
    }

    struct Key: Hashable, Sendable {
        var channel: ObjectIdentifier
        var segment: LiveSegmentAddress
        var part: Int?
    }

    var key: Key { Key(channel: ObjectIdentifier(channel), segment: segment, part: part?.index) }
}

/// Live segments that have left their window while somebody still takes them. From then on they count towards the delivery
/// budget: each once, however many clients hold it.
final class DepartedSegments: Sendable {
    private struct Entry {
        weak var claim: DeliveryClaim?
    }

    private let entries = Mutex([LiveHolding.Key: Entry]())

    /// - Parameter group: whose share is used, unless somebody else's is already.
    /// - Returns: what is held until the client has taken its answer; `nil` when there is no room, and the client is to be
    ///   let go.
    func claim(_ holding: LiveHolding, of group: AddressGroup, in budget: DeliveryBudget) -> DeliveryClaim? {
        entries.withLock { entries in
            if let claim = entries[holding.key]?.claim { return claim }
            guard let claim = budget.claimAtOnce(.init(byteCount: holding.byteCount), of: group) else { return nil }
            entries = entries.filter { $0.value.claim != nil }
            entries[holding.key] = Entry(claim: claim)
            return claim
        }
    }
}
