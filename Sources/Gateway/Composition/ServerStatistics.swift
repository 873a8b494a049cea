import Database
import HLSDelivery
import HTTPEndpoints

/// What the parts of a server measure for its metrics.
struct ServerStatistics: Sendable {
    let database = DatabaseStatistics()
    let http = HTTPStatistics()
    let delivery = DeliveryStatistics()
}
