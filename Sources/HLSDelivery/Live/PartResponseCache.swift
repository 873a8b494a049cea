import LiveChannels
import Packaging
import Synchronization

/// Keeps the complete responses for the newest parts, head included: in the moment in which a part is finished, all
/// low-latency viewers of a rendition request it.
final class PartResponseCache: Sendable {
    struct Key: Hashable {
        /// The channel's name. A channel of the same name that comes later has other epochs.
        let channel: String
        let part: LivePartAddress
    }

    private let entries = Mutex([(key: Key, response: MediaResponse)]())

    /// Limit on the kept parts: the newest two or so of each rendition of four channels.
    static let maximumCount = 16
    /// Limit on the size of a part that is kept. A larger one is sent from the memory of its channel, without a copy.
    static let maximumByteCount = 256 << 10

    /// The response for a part as a whole.
    ///
    /// - Parameters:
    ///   - key: names the part.
    ///   - make: makes the response, encoded, if it is not kept. Two viewers may make it at the same time.
    func response(for key: Key, _ make: () -> MediaResponse) -> MediaResponse {
        if let known = entries.withLock({ $0.last { $0.key == key }?.response }) { return known }
        let response = make()
        entries.withLock { entries in
            guard !entries.contains(where: { $0.key == key }) else { return }
            if entries.count >= Self.maximumCount { entries.removeFirst() }
            entries.append((key, response))
        }
        return response
    }
}
