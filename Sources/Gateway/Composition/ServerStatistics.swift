import Database
import HLSDelivery
import HTTPEndpoints

/// The measurements of a server's parts, for its metrics.
struct ServerStatistics: Sendable {
    let database = DatabaseStatistics()
    let http = HTTPStatistics()
    let delivery = DeliveryStatistics()
}
