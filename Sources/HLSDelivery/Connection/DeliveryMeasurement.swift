import MediaCore
import NIOCore

/// The measurement of one response.
struct DeliveryMeasurement {
    private let kind: DeliveryKind
    private var start: NIODeadline

    /// - Parameters:
    ///   - kind: what the response carries.
    ///   - start: the time of the request's head.
    init(_ kind: DeliveryKind, start: NIODeadline) { (self.kind, self.start) = (kind, start) }

    /// Begins again, because the media that the request waited for is available now.
    mutating func restart(at now: NIODeadline) { start = now }

    func end(at now: NIODeadline, _ statistics: DeliveryStatistics) {
        statistics.latency(of: kind).record(nanoseconds: (now - start).nanoseconds)
    }
}
