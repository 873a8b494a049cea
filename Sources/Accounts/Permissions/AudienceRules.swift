/// Who may watch what, as the operator has decided. Everything that is not named is for everyone.
package struct AudienceRules: Sendable, Hashable {
    /// The audiences of channels that are not for everyone, by name.
    package var channels: [String: Audience]
    package var titles: Audience
    package var tracks: Audience

    package init(
        channels: [String: Audience] = [:], titles: Audience = .everyone, tracks: Audience = .everyone
    ) {
        self.channels = channels.filter { $0.value != .everyone }
        (self.titles, self.tracks) = (titles, tracks)
    }

    /// Whether everything is for everyone.
    package var areOpen: Bool { channels.isEmpty && titles == .everyone && tracks == .everyone }

    /// Whether recordings of a channel, which are titles, would be watched by more people than the channel.
    package func recordingsReachMore(thanChannel name: String) -> Bool {
        (channels[name] ?? .everyone).rank > titles.rank
    }

    package func channel(_ name: String) -> Resource { .channel(name, channels[name] ?? .everyone) }
    package var title: Resource { .title(titles) }
    package var track: Resource { .track(tracks) }
}
