import NIOCore
import Packaging
import Synchronization

/// Caches the titles being watched for a few seconds, so that segments do not need the catalogue and a replaced or
/// deleted title is noticed soon.
final class PublishedTitleCache: Sendable {
    private struct Entry {
        var title: PublishedTitle
        var expires: NIODeadline
    }

    private let entries = Mutex([TitleAddress: Entry]())

    static let lifetime = Duration.seconds(2)
    static let maximumCount = 1_000

    func title(at address: TitleAddress, now: NIODeadline) -> PublishedTitle? {
        entries.withLock { entries in
            guard let entry = entries[address], now < entry.expires else { return nil }
            return entry.title
        }
    }

    /// Stores a title. If it has not changed, the existing one with its rendered playlists is kept.
    func store(
        _ title: PackagedTitle, revision: String, extras: TitleExtras = TitleExtras(), at address: TitleAddress,
        now: NIODeadline
    ) -> PublishedTitle {
        entries.withLock { entries in
            let known = entries[address].map(\.title)
            let published =
                known.flatMap { $0.title === title && $0.revision == revision && $0.extras == extras ? $0 : nil }
                ?? PublishedTitle(title: title, revision: revision, extras: extras)
            entries[address] = Entry(title: published, expires: now + TimeAmount(Self.lifetime))
            // Entries are kept for two lifetimes, because a title that has just expired is likely to be requested
            // again.
            entries = entries.filter { $0.value.expires + TimeAmount(Self.lifetime) > now }
            if entries.count > Self.maximumCount {
                entries = [address: Entry(title: published, expires: now + TimeAmount(Self.lifetime))]
            }
            return published
        }
    }
}
