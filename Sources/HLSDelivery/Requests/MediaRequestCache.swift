import Synchronization

/// The parsed targets of recent requests, for all connections: thousands of viewers request the same part in the same
/// moment.
final class MediaRequestCache: Sendable {
    private let requests = Mutex([String: MediaRequest]())

    /// Limit on the kept targets: what the viewers of some channels request within seconds.
    static let maximumCount = 256
    /// Limit on the length of a kept target.
    static let maximumTargetByteCount = 256

    /// The number of kept targets.
    var count: Int { requests.withLock { $0.count } }

    /// The request for media that a target means; `nil` if it is not for media.
    func request(for target: String) -> MediaRequest? {
        guard target.utf8.count <= Self.maximumTargetByteCount else { return MediaRequest(target: target) }
        if let known = requests.withLock({ $0[target] }) { return known }
        guard let request = MediaRequest(target: target) else { return nil }
        // The others are one viewer's own.
        guard request.signature == nil, request.directives.signature == nil, request.directives.token == nil else {
            return request
        }
        requests.withLock { requests in
            if requests.count >= Self.maximumCount { requests.removeAll(keepingCapacity: true) }
            requests[target] = request
        }
        return request
    }
}
