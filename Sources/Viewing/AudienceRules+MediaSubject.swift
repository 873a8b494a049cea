package import Accounts
package import MediaCore

extension AudienceRules {
    /// The resource by which the permissions of a channel, title or track are asked.
    ///
    /// - Parameter subject: what it is; `nil` at a path at which there can be nothing, for which the audience of titles
    ///   as a whole counts.
    package func resource(_ subject: MediaSubject?) -> Resource {
        switch subject {
        case .channel(let name): channel(name.text)
        case .title(let id): title(id: id.text)
        case .titleFile(let name): title(file: name.text)
        case .track(let id): track(id: id.text)
        case nil: title
        }
    }

    /// Whether something was hidden, so that no link plays it.
    package func isHidden(_ subject: MediaSubject?) -> Bool {
        switch subject {
        case .channel, nil: false
        case .title(let id): isHidden(titleID: id.text)
        case .titleFile(let name): isHidden(titleFile: name.text)
        case .track(let id): isHidden(trackID: id.text)
        }
    }
}
