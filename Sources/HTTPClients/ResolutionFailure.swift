/// A host name could not be resolved; another attempt may succeed.
struct ResolutionFailure: Error, Hashable, CustomStringConvertible {
    package var host: String
    package var reason: String
    package var description: String { "\(host) cannot be found: \(reason)" }
}
