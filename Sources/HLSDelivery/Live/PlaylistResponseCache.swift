import HTTPTypes
import NIOCore
import Packaging
import Synchronization

/// Caches complete playlist responses, head included, one per revision; most requests of live viewers are for
/// playlists.
final class PlaylistResponseCache: Sendable {
    private struct Key: Hashable {
        let playlist: ObjectIdentifier
        let kind: PlaylistKind
    }

    private struct Entry {
        /// The playlist, kept alive so that no other object gets the same identifier while the entry exists.
        let playlist: RenderedPlaylist
        var plain: MediaResponse?
        var gzipped: MediaResponse?
    }

    private let entries = Mutex([Key: Entry]())
    private let crossOrigin: MediaCrossOriginPolicy

    /// Limit of cached revisions, more than are requested concurrently: three playlists of each of four channels, and
    /// some titles.
    static let maximumCount = 64

    init(_ crossOrigin: MediaCrossOriginPolicy) { self.crossOrigin = crossOrigin }

    func response(for playlist: RenderedPlaylist, kind: PlaylistKind, acceptsGzip: Bool) -> MediaResponse {
        let key = Key(playlist: ObjectIdentifier(playlist), kind: kind)
        let known = entries.withLock { acceptsGzip ? $0[key]?.gzipped : $0[key]?.plain }
        if let known { return known }
        let response = Self.makeResponse(for: playlist, fields: kind.fields, acceptsGzip: acceptsGzip).withEncoding(
            crossOrigin)
        entries.withLock { entries in
            if entries.count >= Self.maximumCount, entries[key] == nil { entries.removeAll(keepingCapacity: true) }
            var entry = entries[key] ?? Entry(playlist: playlist)
            if acceptsGzip { entry.gzipped = response } else { entry.plain = response }
            entries[key] = entry
        }
        return response
    }

    static func makeResponse(
        for playlist: RenderedPlaylist, fields: HTTPFields, acceptsGzip: Bool
    ) -> MediaResponse {
        var fields = fields
        var body = playlist.plain
        if acceptsGzip, let gzipped = playlist.gzipped {
            fields.append(HTTPField(name: .contentEncoding, value: "gzip"))
            body = gzipped
        }
        fields.append(HTTPField(name: .contentLength, value: String(body.readableBytes)))
        return MediaResponse(head: HTTPResponse(status: .ok, headerFields: fields), body: [body])
    }
}
