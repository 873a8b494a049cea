import Accounts
package import JSONDocument

extension AudienceRules {
    /// Reads the audiences of a `channels.json` that has passed all checks: `viewing` for live channels, titles and
    /// tracks, and `audience` of single channels.
    package init(_ document: JSONNode) {
        func audience(_ node: JSONNode?) -> Audience? { node?.string.flatMap(Audience.init(rawValue:)) }
        let viewing = document["viewing"]
        let live = audience(viewing?["live"]) ?? .everyone
        var channels: [String: Audience] = [:]
        for channel in document["channels"]?.elements ?? [] {
            guard let name = channel["name"]?.string else { continue }
            channels[name] = audience(channel["audience"]) ?? live
        }
        self.init(
            channels: channels, titles: audience(viewing?["vod"]) ?? .everyone,
            tracks: audience(viewing?["radio"]) ?? .everyone)
    }
}
