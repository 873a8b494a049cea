package import MediaCore

/// What somebody wants to watch, as far as the rules of permission know it.
package enum ViewingSubject: Sendable, Hashable {
    /// A channel's name.
    case channel(String)
    /// A title's ID.
    case title(id: String)
    /// The path of a title's file, relative to the media folder.
    case titleFile(name: MediaFileName)
    /// A track's ID.
    case track(id: String)
}

extension MediaRequest {
    var subject: ViewingSubject {
        switch source {
        case .channel(let name): .channel(name.text)
        case .title(.title(let id)): .title(id: id.text)
        case .title(.titleFile(let name)): .titleFile(name: name)
        case .title(.track(let id)): .track(id: id.text)
        }
    }
}
