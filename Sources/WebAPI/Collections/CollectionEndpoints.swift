import APIContract
import APIDeclarations
import Accounts
import Catalogue
import HLSDelivery
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
import VideoClub
import Workflows

/// `/api/v1/series`, `/api/v1/albums` and `/api/v1/artists`: what belongs together by its details.
struct CollectionEndpoints: Sendable {
    let content: any ContentSource
    /// The keys of encrypted titles; `nil` if titles cannot be encrypted.
    let titleKeys: TitleKeys?
    /// The source of rentals; `nil` for a server without a video club.
    let club: VideoClub?

    private var collections: any CollectionStore { content.collections }

    var endpoints: [Endpoint] {
        [
            Endpoint(CollectionAPI.listSeries, .titles) { request, context in
                try context.requireLists(of: club)
                let wanted = try PageRequest(request)
                let page = try await collections.series(
                    visible: context.visibleTitles, after: wanted.cursor, limit: wanted.limit)
                return APIPage(page.items.map(APIResources.series), next: page.next).response()
            },
            Endpoint(CollectionAPI.getSeries, .titles) { _, context in
                try context.requireLists(of: club)
                return APIResources.series(try await series(context)).response()
            },
            Endpoint(CollectionAPI.listTitlesOfSeries, .titles) { request, context in
                try context.requireLists(of: club)
                return try await titles(request, context)
            },
            Endpoint(CollectionAPI.listAlbums, .tracks) { request, context in try await albums(request, context) },
            Endpoint(CollectionAPI.getAlbum, .tracks) { _, context in
                APIResources.album(try await album(context)).response()
            },
            Endpoint(CollectionAPI.listTracksOfAlbum, .tracks) { request, context in
                try await tracks(request, context)
            },
            Endpoint(CollectionAPI.listArtists, .tracks) { request, context in
                let wanted = try PageRequest(request)
                let page = try await collections.artists(
                    visible: context.visibleTracks, after: wanted.cursor, limit: wanted.limit)
                return APIPage(page.items.map(APIResources.artist), next: page.next).response()
            },
        ]
    }

    private func series(_ context: GatewayRequestContext) async throws -> LibraryCollection<TitleRecord> {
        let id = try context.parameters.require("id")
        guard let series = try await collections.series(id: id, visible: context.visibleTitles) else {
            throw ProblemDetails(.notFound, "there is no series \(id)")
        }
        return series
    }

    private func album(_ context: GatewayRequestContext) async throws -> LibraryCollection<AudioTrackRecord> {
        let id = try context.parameters.require("id")
        guard let album = try await collections.album(id: id, visible: context.visibleTracks) else {
            throw ProblemDetails(.notFound, "there is no album \(id)")
        }
        return album
    }

    private func titles(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let wanted = try PageRequest(request)
        let series = try await series(context)
        let page = try await collections.titles(
            ofSeries: series.id, visible: context.visibleTitles, after: wanted.cursor, limit: wanted.limit)
        let items = page.items.map { APIResources.listed(APIResources.title($0.record, keys: titleKeys), $0.listing) }
        return APIPage(items, next: page.next).response()
    }

    private func albums(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let wanted = try PageRequest(request)
        let artist = PageRequest.value(of: "artist", in: request)
        guard artist?.wholeMatch(of: /[0-9a-f]{24}/) != nil || artist == nil else {
            throw ProblemDetails(.badRequest, "\"artist\" must be the \"id\" of an artist in /api/v1/artists")
        }
        let page = try await collections.albums(
            ofArtist: artist, visible: context.visibleTracks, after: wanted.cursor, limit: wanted.limit)
        return APIPage(page.items.map(APIResources.album), next: page.next).response()
    }

    private func tracks(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let wanted = try PageRequest(request)
        let album = try await album(context)
        let page = try await collections.tracks(
            ofAlbum: album.id, visible: context.visibleTracks, after: wanted.cursor, limit: wanted.limit)
        return APIPage(page.items.map(APIResources.track), next: page.next).response()
    }
}

extension GatewayRequestContext {
    /// Lists of titles are for those who have logged in if the operator has decided so.
    ///
    /// - Throws: `ProblemDetails` with 401.
    func requireLists(of club: VideoClub?) throws {
        guard let club, !club.settings.showsLists(to: principal) else { return }
        throw ProblemDetails(.unauthorized, "lists of titles are for members; log in first")
    }
}

extension APIResources {
    static func series(_ series: LibraryCollection<TitleRecord>) -> APIObject<SeriesFields> {
        SeriesFields.object {
            [
                $0.id(series.id), $0.name(series.name), $0.titleCount(series.count),
                $0.poster(ResourcePaths.poster(series.first)),
            ]
        }
    }

    static func album(_ album: LibraryCollection<AudioTrackRecord>) -> APIObject<AlbumFields> {
        AlbumFields.object {
            [
                $0.id(album.id), $0.name(album.name), $0.artist(album.artist), $0.artistId(album.artistID),
                $0.year(album.first.year), $0.trackCount(album.count), $0.cover(ResourcePaths.cover(album.first)),
            ]
        }
    }

    static func artist(_ artist: LibraryCollection<AudioTrackRecord>) -> APIObject<ArtistFields> {
        ArtistFields.object {
            [
                $0.id(artist.id), $0.name(artist.name), $0.trackCount(artist.count),
                $0.cover(ResourcePaths.cover(artist.first)),
            ]
        }
    }
}
