package import HTTPTypes
package import MediaCore
import Synchronization

/// How long the router takes to answer, and what it refuses, on all connections.
package final class HTTPStatistics: Sendable {
    /// The methods that are told apart; all others are counted together.
    package static let methods: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete]
    /// The name of all other methods.
    private static let otherMethod = "other"
    /// 2xx to 5xx.
    private static let statusClasses = 2...5

    /// The durations by method, and then by class of the status.
    private let histograms: [LatencyHistogram]
    private let unauthorized = Atomic<Int>(0)
    private let forbidden = Atomic<Int>(0)
    private let rateLimited = Atomic<Int>(0)

    package init() {
        histograms = (0...Self.methods.count).flatMap { _ in Self.statusClasses.map { _ in LatencyHistogram() } }
    }

    /// Counts an answer.
    ///
    /// - Parameters:
    ///   - method: the method of the request.
    ///   - status: the status of the response.
    ///   - duration: the time from the request's head to the response's head.
    func record(_ method: HTTPRequest.Method, status: HTTPResponse.Status, after duration: Duration) {
        let row = Self.methods.firstIndex(of: method) ?? Self.methods.count
        let statusClass = min(max(status.code / 100, Self.statusClasses.lowerBound), Self.statusClasses.upperBound)
        histograms[row * Self.statusClasses.count + statusClass - Self.statusClasses.lowerBound].record(duration)
        switch status.code {
        case 401: unauthorized.wrappingAdd(1, ordering: .relaxed)
        case 403: forbidden.wrappingAdd(1, ordering: .relaxed)
        case 429: rateLimited.wrappingAdd(1, ordering: .relaxed)
        default: break
        }
    }

    /// Requests that were answered with 401 and 403.
    package var denials: (unauthorized: Int, forbidden: Int) {
        (unauthorized.load(ordering: .relaxed), forbidden.load(ordering: .relaxed))
    }

    /// Requests that were answered with 429.
    package var rateLimitedCount: Int { rateLimited.load(ordering: .relaxed) }

    /// The times of each method and class of status (`2xx` to `5xx`) that has occurred.
    package var latencies: [(method: String, status: String, LatencyHistogram.Snapshot)] {
        (Self.methods.map(\.rawValue) + [Self.otherMethod]).enumerated().flatMap { row, method in
            Self.statusClasses.enumerated().compactMap { column, statusClass in
                let snapshot = histograms[row * Self.statusClasses.count + column].snapshot
                return snapshot.count == 0 ? nil : (method, "\(statusClass)xx", snapshot)
            }
        }
    }
}
