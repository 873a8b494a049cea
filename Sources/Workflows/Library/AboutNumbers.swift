import Accounts
package import HTTPEndpoints
import LiveChannels
/// The counts shown on `/acerca`, `/about/chart.svg` and `/api/v1/about`.
package struct AboutNumbers: Sendable, Equatable {
    /// Configured channels. The chart shows what the platform offers, not who is broadcasting right now.
    package var liveChannels: Int
    /// Channels that are on the air: `live`, or `interrupted`, because the viewers of those are still watching.
    package var channelsOnAir: Int
    /// Titles that can be played: films, recordings and videos of members. A trailer belongs to its film.
    package var titles: Int
    /// Tracks that can be played.
    package var tracks: Int

    /// The counts that the chart shows, in the order of its slices.
    package var shares: Shares { Shares([liveChannels, titles, tracks]) }

    package init(liveChannels: Int, channelsOnAir: Int, titles: Int, tracks: Int) {
        self.liveChannels = liveChannels
        self.channelsOnAir = channelsOnAir
        self.titles = titles
        self.tracks = tracks
    }

    /// Counts what a server offers to the sender of a request at the moment.
    package init(of content: any ChannelContent & ContentCounts, _ context: GatewayRequestContext) async throws {
        let counts = try await content.readyCounts(
            visibleTitles: context.visibleTitles, visibleTracks: context.visibleTracks)
        let channels = content.channels().filter { channel in
            // Members-only channels are no secret.
            let resource = context.identity.audiences.channel(channel.name)
            return resource.audience != .invited || context.may(.read, resource)
        }
        self.init(
            liveChannels: channels.count, channelsOnAir: channels.count { $0.state != .idle }, titles: counts.titles,
            tracks: counts.tracks)
    }
}
