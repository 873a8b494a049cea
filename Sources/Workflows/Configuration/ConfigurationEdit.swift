package import JSONDocument

/// A change of `channels.json`.
package enum ConfigurationEdit: Sendable, Equatable {
    /// A merge patch (RFC 7396) of everything but the list of channels.
    case settings(JSONText)
    /// A channel that is added or replaced; its place in the list stays.
    case setChannel(name: String, JSONText)
    /// A merge patch of a channel that there is.
    case changeChannel(name: String, JSONText)
    case removeChannel(name: String)
}
