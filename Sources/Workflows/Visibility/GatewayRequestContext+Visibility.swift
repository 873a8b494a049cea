package import Accounts
package import Catalogue
package import HTTPEndpoints
package import LiveChannels

extension GatewayRequestContext {
    /// Whether the sender may watch a channel, and see its matches.
    package func mayWatch(channel name: String) -> Bool { may(.read, identity.audiences.channel(name)) }

    /// The channels among these that the sender may watch.
    package func watchable(_ channels: [ChannelStatus]) -> [ChannelStatus] {
        channels.filter { mayWatch(channel: $0.name) }
    }

    /// The matches of a channel, for questions about the sender's permission.
    package func matches(onChannel name: String) -> Resource {
        .match(channel: name, identity.audiences.channel(name).audience)
    }

    /// The channels among these whose score the sender may keep.
    package func scored(_ channels: [ChannelStatus]) -> [ChannelStatus] {
        channels.filter { may(.score, matches(onChannel: $0.name)) }
    }

    /// The titles that the sender may be shown in lists; `nil` for all.
    package var visibleTitles: RecordVisibility? {
        visibility(.title, identity.audiences.titles, identity.audiences.items.titles.isEmpty)
    }

    /// The tracks that the sender may be shown in lists; `nil` for all.
    package var visibleTracks: RecordVisibility? {
        visibility(.track, identity.audiences.tracks, identity.audiences.items.tracks.isEmpty)
    }

    private func visibility(_ kind: Resource.Kind, _ section: Audience, _ isPlain: Bool) -> RecordVisibility? {
        let showsUnset = may(.read, Resource(kind, audience: section))
        guard !isPlain || !showsUnset else { return nil }
        let audiences = Audience.allCases.filter { may(.read, Resource(kind, audience: $0)) }
        guard audiences.count < Audience.allCases.count else { return nil }
        var account: String?
        if let member = principal.member {
            var opened = Resource(kind, audience: .invited)
            opened.invited = [member.id]
            if may(.read, opened) { account = member.id.text }
        }
        return RecordVisibility(
            showsUnset: showsUnset, audiences: Set(audiences.compactMap { ItemAudienceName(rawValue: $0.rawValue) }),
            account: account)
    }
}
