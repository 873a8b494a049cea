import HLSPlaylist
import NIOCore
import Packaging
import Synchronization

/// A title as it is delivered: the packager with what has been rendered of it.
final class PublishedTitle: Sendable {
    let title: PackagedTitle
    let revision: String
    private let rendered = Mutex([String: RenderedPlaylist]())

    init(title: PackagedTitle, revision: String) {
        self.title = title
        self.revision = revision
    }

    /// - Parameter name: `playlist` for the multivariant one, or a rendition's; `nil` for any other.
    func playlist(named name: String) -> RenderedPlaylist? {
        rendered.withLock { rendered in
            if let known = rendered[name] { return known }
            let playlist: RenderedPlaylist
            if name == "playlist" {
                playlist = RenderedPlaylist { [title] in title.multivariantPlaylist().rendered() }
            } else if let rendition = title.rendition(named: name[...]) {
                playlist = RenderedPlaylist { [title, revision] in
                    title.mediaPlaylist(of: rendition, pathPrefix: "\(revision)/").rendered()
                }
            } else {
                return nil
            }
            rendered[name] = playlist
            return playlist
        }
    }
}

/// Titles that are being watched, so that a segment needs no trip to the catalogue: for a few seconds each, after
/// which a replaced or deleted title is noticed.
final class PublishedTitleCache: Sendable {
    private struct Entry {
        var title: PublishedTitle
        var expires: NIODeadline
    }

    private let entries = Mutex([TitleAddress: Entry]())

    static let lifetime = TimeAmount.seconds(2)
    static let maximumCount = 1_000

    func title(at address: TitleAddress, now: NIODeadline) -> PublishedTitle? {
        entries.withLock { entries in
            guard let entry = entries[address], now < entry.expires else { return nil }
            return entry.title
        }
    }

    /// The same title as before keeps what has been rendered of it.
    func store(_ title: PackagedTitle, revision: String, at address: TitleAddress, now: NIODeadline) -> PublishedTitle {
        entries.withLock { entries in
            let known = entries[address].map(\.title)
            let published =
                known.flatMap { $0.title === title && $0.revision == revision ? $0 : nil }
                ?? PublishedTitle(title: title, revision: revision)
            entries[address] = Entry(title: published, expires: now + Self.lifetime)
            // Two lifetimes: what expired a moment ago is likely to be asked for again.
            entries = entries.filter { $0.value.expires + Self.lifetime > now }
            if entries.count > Self.maximumCount {
                entries = [address: Entry(title: published, expires: now + Self.lifetime)]
            }
            return published
        }
    }
}
