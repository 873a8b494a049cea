package import MediaCore
import Synchronization

/// How long media takes to be delivered, and how many requests for it were denied, on all connections.
package final class DeliveryStatistics: Sendable {
    private let histograms = DeliveryKind.allCases.map { _ in LatencyHistogram() }
    private let unauthorized = Atomic<Int>(0)
    private let forbidden = Atomic<Int>(0)

    package init() {}

    /// The times of successful responses of a kind, from the request's head, or from the moment at which the media that
    /// it waited for was available, until the last byte was given to the connection.
    package func latency(of kind: DeliveryKind) -> LatencyHistogram { histograms[kind.rawValue] }

    /// Requests that were answered with 401 and 403.
    package var denials: (unauthorized: Int, forbidden: Int) {
        (unauthorized.load(ordering: .relaxed), forbidden.load(ordering: .relaxed))
    }

    /// Counts a response that was not successful.
    func countFailure(status: Int) {
        switch status {
        case 401: unauthorized.wrappingAdd(1, ordering: .relaxed)
        case 403: forbidden.wrappingAdd(1, ordering: .relaxed)
        default: break
        }
    }
}
