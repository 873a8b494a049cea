/// What somebody wants to watch, as far as the rules of permission know it.
package enum ViewingSubject: Sendable, Hashable {
    /// A channel's name.
    case channel(String)
    case title
    case track
}

extension MediaRequest {
    var subject: ViewingSubject {
        switch source {
        case .channel(let name): .channel(name)
        case .title(.track): .track
        case .title: .title
        }
    }
}
