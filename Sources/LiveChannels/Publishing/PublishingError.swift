package import Foundation

/// The reason why a channel does not accept a publisher.
package enum PublishingError: Error, Hashable, CustomStringConvertible {
    /// Another publisher has the channel, or the queue of waiting publishers is full.
    case channelBusy(since: Date, publisher: String)
    case unknownPreset(String, allowed: [String])
    /// The server is shutting down, or the channel has been removed.
    case closed

    package var description: String {
        switch self {
        case .channelBusy(_, let publisher): "the channel is taken by \(publisher)"
        case .unknownPreset(let name, let allowed):
            "there is no preset \"\(name)\"; available presets: \(allowed.joined(separator: ", "))"
        case .closed: "the channel is closed"
        }
    }
}
