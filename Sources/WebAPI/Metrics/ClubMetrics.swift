package import HTTPEndpoints
package import VideoClub

/// The metrics of the video club.
package struct ClubMetrics: Sendable {
    private let statistics: ClubStatistics
    private let open: [RentalState: Int64]?

    /// - Parameters:
    ///   - statistics: what has happened so far on this server.
    ///   - open: the rentals that have not ended, by state; `nil` if the database does not answer.
    package init(statistics: ClubStatistics, open: [RentalState: Int64]?) {
        (self.statistics, self.open) = (statistics, open)
    }

    package var families: [MetricFamily] {
        var families = [
            MetricFamily(
                name: "antena_rentals_total",
                help: "Rentals on this server by outcome: rented, activated, expired or refunded.",
                kind: .counter,
                samples: ClubStatistics.Event.allCases.map {
                    MetricFamily.Sample(["event": $0.rawValue], Double(statistics.count($0)))
                }),
            MetricFamily(
                name: "antena_credits_total",
                help: "Credits moved on this server by reason: top-up, payment and gift come in; "
                    + "rental is spent; refund comes back; reversal and expired are taken.", kind: .counter,
                samples: CreditReason.allCases.map {
                    MetricFamily.Sample(["reason": $0.rawValue], Double(statistics.credits($0)))
                }),
            MetricFamily(
                name: "antena_rental_denials_total",
                help: "Requests to rent or watch that were refused by the video club, by reason.", kind: .counter,
                samples: ClubStatistics.Denial.allCases.map {
                    MetricFamily.Sample(["reason": $0.rawValue], Double(statistics.count($0)))
                }),
        ]
        if let open {
            families.append(
                MetricFamily(
                    name: "antena_rentals", help: "Rentals that have not ended by state.", kind: .gauge,
                    samples: [RentalState.rented, .activated].map {
                        MetricFamily.Sample(["state": $0.rawValue], Double(open[$0] ?? 0))
                    }))
        }
        return families
    }
}
