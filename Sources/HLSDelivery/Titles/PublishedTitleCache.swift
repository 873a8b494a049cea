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
    /// Time for which a title that was watched is kept after it has expired, in case the database does not answer.
    static let keptTime = Duration.seconds(300)
    /// Limit on expired titles, because each holds the index of its file.
    static let maximumKeptCount = 64

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
            Self.dropOld(&entries, now: now)
            if entries.count > Self.maximumCount {
                entries = [address: Entry(title: published, expires: now + TimeAmount(Self.lifetime))]
            }
            return published
        }
    }

    /// The title as it was when it was last looked up; `nil` if nobody has watched it for a while. It counts as looked
    /// up now.
    func lastKnownTitle(at address: TitleAddress, now: NIODeadline) -> PublishedTitle? {
        entries.withLock { entries in
            guard var entry = entries[address], now < entry.expires + TimeAmount(Self.keptTime) else { return nil }
            entry.expires = now + TimeAmount(Self.lifetime)
            entries[address] = entry
            return entry.title
        }
    }

    /// Entries are kept for two lifetimes, because a title that has just expired is likely to be requested again; the
    /// newest of the others for ``keptTime``.
    private static func dropOld(_ entries: inout [TitleAddress: Entry], now: NIODeadline) {
        let kept = entries.filter { $0.value.expires + TimeAmount(lifetime) <= now }
            .sorted { $0.value.expires > $1.value.expires }
        for (index, entry) in kept.enumerated()
        where index >= maximumKeptCount || entry.value.expires + TimeAmount(keptTime) <= now {
            entries[entry.key] = nil
        }
    }
}
