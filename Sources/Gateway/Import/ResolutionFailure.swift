/// A host name could not be resolved; another attempt may succeed.
struct ResolutionFailure: Error, Hashable, CustomStringConvertible {
    var host: String
    var reason: String
    var description: String { "\(host) cannot be found: \(reason)" }
}
