import HLSDelivery
import HLSPlaylist
import MediaCore
import NIOPosix
import Packaging
import Synchronization
import VideoClub

/// Makes the bytes of offline copies from the library's titles.
final class LibraryCopySource: CopySource {
    private let titles: any PackagedTitleSource
    private let planning: NIOThreadPool
    private let reading: NIOThreadPool
    /// The copies that were asked for last, oldest first, because listing the files of a film takes milliseconds and a
    /// client asks for a range at a time.
    private let recent = Mutex([(key: String, bytes: CopyBytes)]())

    /// Limit of the copies whose lists of files are kept; that of a film takes about a megabyte.
    private static let maximumRecentCount = 32

    /// - Parameters:
    ///   - titles: finds titles.
    ///   - planning: lists the files of copies, which reads subtitles.
    ///   - reading: reads the files of titles.
    init(titles: any PackagedTitleSource, planning: NIOThreadPool, reading: NIOThreadPool) {
        (self.titles, self.planning, self.reading) = (titles, planning, reading)
    }

    func renditions(ofTitle id: String) async throws -> [CopyRendition] {
        let title = try await title(id)
        var renditions: [CopyRendition] = []
        for variant in TitleCopy.variants(of: title.packaged) {
            let name = TitleCopy.name(of: variant)
            let bytes = try await bytes(of: title, name)
            renditions.append(
                CopyRendition(
                    name: name, byteCount: bytes.byteCount, bandwidth: variant.bandwidth,
                    width: variant.resolution?.width, height: variant.resolution?.height, codecs: variant.codecs))
        }
        return renditions
    }

    func contents(ofTitle id: String, rendition: String) async throws -> any CopyContents {
        try await bytes(of: try await title(id), rendition)
    }

    private struct Title {
        var packaged: PackagedTitle
        var revision: String
        var extras: TitleExtras
    }

    private func title(_ id: String) async throws -> Title {
        guard let id = MediaName(id) else { throw Refusal(.notFound, "the title was deleted") }
        do {
            switch try await titles.packagedTitle(at: .title(id: id)) {
            case .ready(let packaged, let revision, let extras):
                return Title(packaged: packaged, revision: revision, extras: extras)
            case .notReady(let reason): throw Refusal(.unavailable, reason)
            case .unknown: throw Refusal(.notFound, "the title was deleted")
            }
        } catch is TitlesUnavailable {
            throw Refusal(.unavailable, "the database does not answer; try again")
        }
    }

    private func bytes(of title: Title, _ rendition: String) async throws -> CopyBytes {
        let subtitles = title.extras.subtitles.map(\.revision).joined(separator: " ")
        let key = "\(title.packaged.instance) \(title.revision) \(rendition) \(subtitles)"
        if let known = known(key) { return known }
        let made = try await planning.runIfActive { [reading] in
            TitleCopy(rendition, of: title.packaged, subtitles: SubtitleRenditions(title.extras.subtitles)).map {
                CopyBytes($0, revision: title.revision, threadPool: reading)
            }
        }
        guard let made else { throw Refusal(.notFound, "the title has no rendition \(rendition) any more") }
        recent.withLock { recent in
            if recent.count >= Self.maximumRecentCount { recent.removeFirst() }
            recent.append((key, made))
        }
        return made
    }

    private func known(_ key: String) -> CopyBytes? {
        recent.withLock { recent in
            guard let index = recent.firstIndex(where: { $0.key == key }) else { return nil }
            let entry = recent.remove(at: index)
            recent.append(entry)
            return entry.bytes
        }
    }
}

extension CopyBytes: CopyContents {}
