package import Accounts
package import HTTPEndpoints

/// The metrics of accounts.
package struct AccountMetrics: Sendable {
    private let statistics: LogInStatistics
    private let sessionCount: Int?

    /// - Parameters:
    ///   - statistics: the log-ins so far.
    ///   - sessionCount: the sessions that have not ended; `nil` if the database does not answer.
    package init(statistics: LogInStatistics, sessionCount: Int?) {
        (self.statistics, self.sessionCount) = (statistics, sessionCount)
    }

    package var families: [MetricFamily] {
        var families = [
            MetricFamily(
                name: "antena_logins_total",
                help: "Log-ins by way and result; a token counts when it is looked up, which is about once a second "
                    + "while it is used.", kind: .counter,
                samples: LogInWay.allCases.flatMap { way in
                    LogInResult.allCases.map { result in
                        MetricFamily.Sample(
                            ["way": way.rawValue, "result": result.rawValue],
                            Double(statistics.count(way, result)))
                    }
                })
        ]
        if let sessionCount {
            families.append(
                MetricFamily(
                    name: "antena_sessions", help: "Sessions of members that have not ended.", kind: .gauge,
                    value: Double(sessionCount)))
        }
        return families
    }
}
