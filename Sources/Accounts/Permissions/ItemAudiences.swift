/// The audiences of single titles and tracks, which go before those of their sections.
package struct ItemAudiences: Sendable, Hashable {
    /// The audiences of titles, keyed by title ID.
    package var titles: [String: ItemAudience]
    /// The audiences of tracks, keyed by track ID.
    package var tracks: [String: ItemAudience]
    /// The IDs of titles in ``titles`` by the names of their files, current and former ones.
    package var titleFiles: [String: String]
    /// Whether titles or tracks will be kept from everybody whose IDs nobody knows yet.
    package var areAwaited = false

    package init(
        titles: [String: ItemAudience] = [:], tracks: [String: ItemAudience] = [:], titleFiles: [String: String] = [:]
    ) {
        (self.titles, self.tracks, self.titleFiles) = (titles, tracks, titleFiles)
    }

    package var isEmpty: Bool { titles.isEmpty && tracks.isEmpty && !areAwaited }

    /// Whether everything that has an audience of its own is for everyone.
    var areOpen: Bool {
        func isOpen(_ item: ItemAudience) -> Bool {
            item.hold == nil && (item.audience == nil || item.audience == .everyone)
        }
        return !areAwaited && titles.values.allSatisfy(isOpen) && tracks.values.allSatisfy(isOpen)
    }
}
