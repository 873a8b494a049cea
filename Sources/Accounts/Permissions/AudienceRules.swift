/// The operator's rules for audiences. Everything that is not named is for everyone.
package struct AudienceRules: Sendable, Hashable {
    /// The audiences of channels that are not for everyone, by name.
    package var channels: [String: Audience]
    package var titles: Audience
    package var tracks: Audience
    /// The audiences of single titles and tracks.
    package var items: ItemAudiences

    package init(
        channels: [String: Audience] = [:], titles: Audience = .everyone, tracks: Audience = .everyone,
        items: ItemAudiences = ItemAudiences()
    ) {
        self.channels = channels.filter { $0.value != .everyone }
        (self.titles, self.tracks, self.items) = (titles, tracks, items)
    }

    /// Whether everything is for everyone.
    package var areOpen: Bool { channels.isEmpty && titles == .everyone && tracks == .everyone && items.areOpen }

    /// Whether recordings of a channel, which are titles, would be watched by more people than the channel.
    package func recordingsReachMore(thanChannel name: String) -> Bool {
        (channels[name] ?? .everyone).rank > titles.rank
    }

    package func channel(_ name: String) -> Resource {
        var resource = Resource.channel(name, channels[name] ?? .everyone)
        resource.unknownAudience = .everyone
        return resource
    }
    /// Titles as a whole: the audience of those that have none of their own.
    package var title: Resource { .title(titles) }
    /// Tracks as a whole.
    package var track: Resource { .track(tracks) }

    /// A title, whether there is one with the ID or not.
    package func title(id: String) -> Resource { item(.title, items.titles[id], titles) }
    /// The title of a file, by its current or a former name.
    package func title(file: String) -> Resource {
        guard let id = items.titleFiles[file] else { return item(.title, nil, titles) }
        return title(id: id)
    }
    /// A track, whether there is one with the ID or not.
    package func track(id: String) -> Resource { item(.track, items.tracks[id], tracks) }

    /// Whether a title was hidden, so that no link plays it.
    package func isHidden(titleID id: String) -> Bool { items.titles[id]?.hold == .hidden }
    /// Whether the title of a file was hidden, so that no link plays it.
    package func isHidden(titleFile name: String) -> Bool { items.titleFiles[name].map(isHidden(titleID:)) ?? false }
    /// Whether a track was hidden, so that no link plays it.
    package func isHidden(trackID id: String) -> Bool { items.tracks[id]?.hold == .hidden }

    /// Jobs, which name files: everything that is not for everybody who may read titles, if that depends on the title.
    package var jobs: Resource { items.isEmpty ? title : .library }

    private func item(_ kind: Resource.Kind, _ item: ItemAudience?, _ section: Audience) -> Resource {
        let isHeld = item?.hold != nil
        var resource = Resource(kind, audience: isHeld ? .invited : item?.audience ?? section)
        resource.invited = isHeld ? [] : item?.invited ?? []
        // What is unknown in a section for invited people is unknown to everybody.
        resource.unknownAudience = section == .invited ? .everyone : section
        return resource
    }
}
