package import HTTPEndpoints

/// The policy for HTTP requests of all kinds.
package struct HTTPPolicy: Sendable {
    /// The pages of other origins whose scripts may use the API.
    package var crossOrigin: CrossOriginPolicy
    /// Whether browsers are told to come back over HTTPS only.
    package var strictTransport: StrictTransport
    /// Receives how long answers take.
    package var statistics: HTTPStatistics

    package init(
        crossOrigin: CrossOriginPolicy = .none, strictTransport: StrictTransport = .off,
        statistics: HTTPStatistics = HTTPStatistics()
    ) {
        (self.crossOrigin, self.strictTransport, self.statistics) = (crossOrigin, strictTransport, statistics)
    }
}
