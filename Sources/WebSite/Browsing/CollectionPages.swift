import Accounts
import Catalogue
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import LibraryDetails
import MediaCore
import Workflows

/// The pages of series in the video club, and of albums and artists in the radio.
struct CollectionPages: Sendable {
    let content: any ContentSource
    /// Knows whether lists of titles are for members only.
    let videoClub: VideoClubPage

    private var collections: any CollectionStore { content.collections }

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, CollectionPath.series, .titles, handler: allSeries),
            Endpoint(.get, "\(CollectionPath.series)/{id}", .titles, handler: series),
            Endpoint(.get, CollectionPath.albums, .tracks, handler: albums),
            Endpoint(.get, "\(CollectionPath.albums)/{id}", .tracks, handler: album),
            Endpoint(.get, CollectionPath.artists, .tracks, handler: artists),
            Endpoint(.get, "\(CollectionPath.artists)/{id}", .tracks, handler: artist),
        ]
    }

    /// - Throws: `ProblemDetails` with 401, which leads to the log-in, if lists are for members.
    private func requireLists(_ context: GatewayRequestContext) throws {
        guard videoClub.showsLists(to: context) else { throw ProblemDetails(.unauthorized) }
    }

    // MARK: Lists

    private func allSeries(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        try requireLists(context)
        let page = SitePage(.series, request, context)
        return try await cards(page, request, heading: page.text.series, empty: page.text.noSeries) { cursor, limit in
            try await collections.series(visible: context.visibleTitles, after: cursor, limit: limit)
        } card: { series in
            page.card(
                series.name, CollectionPath.series(series.id), ResourcePaths.poster(series.first),
                page.text.titleCount(series.count))
        }
    }

    private func albums(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let page = SitePage(.albums, request, context)
        return try await albums(of: nil, page, request, heading: page.text.albums, context)
    }

    private func artists(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let page = SitePage(.albums, request, context)
        return try await cards(page, request, heading: page.text.artists, empty: page.text.noAlbums) { cursor, limit in
            try await collections.artists(visible: context.visibleTracks, after: cursor, limit: limit)
        } card: {
            page.artistCard($0)
        }
    }

    /// The albums of an artist.
    private func artist(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let page = SitePage(.albums, request, context)
        let id = try context.parameters.require("id")
        guard let artist = try await collections.artist(id: id, visible: context.visibleTracks) else {
            throw ProblemDetails(.notFound, "there is no artist \(id)")
        }
        return try await albums(of: id, page, request, heading: artist.name, context)
    }

    private func albums(
        of artist: String?, _ page: SitePage, _ request: Request, heading: String, _ context: GatewayRequestContext
    ) async throws -> Response {
        try await cards(page, request, heading: heading, empty: page.text.noAlbums) { cursor, limit in
            try await collections.albums(
                ofArtist: artist, visible: context.visibleTracks, after: cursor, limit: limit)
        } card: {
            page.card($0)
        }
    }

    /// A page of a list of collections.
    ///
    /// - Parameters:
    ///   - page: the page.
    ///   - request: says which page of the list.
    ///   - heading: the heading.
    ///   - empty: the text for an empty list.
    ///   - read: reads the collections after a cursor, up to a number of them.
    ///   - card: what is shown of one.
    private func cards<Record>(
        _ page: SitePage, _ request: Request, heading: String, empty: String,
        _ read: (_ cursor: String?, _ limit: Int) async throws -> ListPage<LibraryCollection<Record>>,
        card: (LibraryCollection<Record>) -> [String: Any]
    ) async throws -> Response {
        let wanted = try PageRequest(request)
        let found = try await read(wanted.cursor, wanted.limit)
        let name = SitePage.displayed(heading)
        var values: [String: Any] = [
            "heading": name, "collections": found.items.map(card), "links": page.collectionLinks,
        ]
        if page.template == .albums { values["square"] = true }
        if found.items.isEmpty, wanted.cursor == nil { values["empty"] = empty }
        page.addPager(next: found.next, wanted, to: &values)
        return try page.response(values, title: name)
    }

    /// The cards of the first albums and artists, for the page of the radio.
    ///
    /// - Parameters:
    ///   - page: the page.
    ///   - context: who the visitor is.
    ///   - limit: maximum number of each.
    func covers(
        _ page: SitePage, _ context: GatewayRequestContext, limit: Int
    ) async throws -> [String: Any] {
        let albums = try await collections.albums(
            ofArtist: nil, visible: context.visibleTracks, after: nil, limit: limit)
        let artists = try await collections.artists(visible: context.visibleTracks, after: nil, limit: limit)
        var values: [String: Any] = [:]
        if !albums.items.isEmpty { values["albums"] = ["items": albums.items.map { page.card($0) }] }
        if !artists.items.isEmpty { values["artists"] = ["items": artists.items.map(page.artistCard)] }
        return values
    }

    // MARK: What is in one

    private func series(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        try requireLists(context)
        let page = SitePage(.episodes, request, context)
        let id = try context.parameters.require("id")
        guard let series = try await collections.series(id: id, visible: context.visibleTitles) else {
            throw ProblemDetails(.notFound, "there is no series \(id)")
        }
        let wanted = try PageRequest(request, defaultLimit: ListLimits.maximumSize)
        let found = try await collections.titles(
            ofSeries: id, visible: context.visibleTitles, after: wanted.cursor, limit: wanted.limit)
        var parts: [(season: Int?, titles: [[String: Any]])] = []
        for title in found.items.map(\.record) {
            let season = title.details.number(.season)
            if parts.last?.season != season || parts.isEmpty { parts.append((season, [])) }
            parts[parts.count - 1].titles.append(page.episode(title))
        }
        // A series without seasons needs no headings.
        let hasSeasons = parts.contains { $0.season != nil }
        let shown = parts.enumerated().map { index, part -> [String: Any] in
            var values: [String: Any] = ["items": part.titles]
            if hasSeasons { values["heading"] = ["number": index, "name": page.text.season(part.season)] }
            return values
        }
        return try items(
            shown, of: series.name, summary: page.text.titleCount(series.count), next: found.next, wanted, page,
            preview: page.preview(
                "video.tv_show", of: series.name, at: CollectionPath.series(id),
                text: page.text.titleCount(series.count), image: ResourcePaths.poster(series.first), nil))
    }

    private func album(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let page = SitePage(.album, request, context)
        let id = try context.parameters.require("id")
        guard let album = try await collections.album(id: id, visible: context.visibleTracks) else {
            throw ProblemDetails(.notFound, "there is no album \(id)")
        }
        let wanted = try PageRequest(request, defaultLimit: ListLimits.maximumSize)
        let found = try await collections.tracks(
            ofAlbum: id, visible: context.visibleTracks, after: wanted.cursor, limit: wanted.limit)
        let summary = [album.first.year.map { "\($0)" }, page.text.trackCount(album.count)]
        var further: [String: Any] = ["cover": ResourcePaths.cover(album.first) as Any?].compactMapValues(\.self)
        if let id = album.artistID, let name = album.artist {
            further["artist"] = ["path": CollectionPath.artist(id), "name": SitePage.displayed(name)]
        }
        return try items(
            [["items": found.items.map { page.albumTrack($0) }]], of: album.name,
            summary: summary.compactMap(\.self).joined(separator: " · "), next: found.next, wanted, page, further,
            preview: page.preview(
                "music.album", of: album.name, at: CollectionPath.album(id),
                text: ([album.artist] + summary).compactMap(\.self).joined(separator: " · "),
                image: ResourcePaths.cover(album.first), nil))
    }

    private func items(
        _ parts: [[String: Any]], of name: String, summary: String, next: String?, _ wanted: PageRequest,
        _ page: SitePage, _ further: [String: Any] = [:], preview: [SitePage.PreviewField]
    ) throws -> Response {
        let name = SitePage.displayed(name)
        var values = further
        values["name"] = name
        values["summary"] = summary
        values["parts"] = parts
        values["links"] = page.collectionLinks
        page.addPager(next: next, wanted, to: &values)
        return try page.response(values, title: name, preview: preview)
    }
}

extension SitePage {
    /// The lists that a page of collections leads to.
    fileprivate var collectionLinks: [[String: Any]] {
        let links =
            template.section == .videoclub
            ? [("/videoclub", text.videoClub), (CollectionPath.series, text.series)]
            : [
                ("/radio", text.radio), (CollectionPath.albums, text.albums), (CollectionPath.artists, text.artists),
            ]
        return links.map { ["path": $0, "name": $1] }
    }

    fileprivate func addPager(next: String?, _ wanted: PageRequest, to values: inout [String: Any]) {
        if let next { values["next"] = "?cursor=\(next)" }
        if wanted.cursor != nil { values["first"] = "?" }
    }

    fileprivate func card(_ name: String, _ path: String, _ image: String?, _ summary: String) -> [String: Any] {
        let values: [String: Any] = [
            "name": Self.displayed(name), "path": path, "summary": Self.displayed(summary), "image": image ?? false,
        ]
        return Self.placeholder(name).merging(values) { $1 }
    }

    fileprivate func card(_ album: LibraryCollection<AudioTrackRecord>) -> [String: Any] {
        let summary = [album.artist, text.trackCount(album.count)].compactMap(\.self).joined(separator: " · ")
        return card(album.name, CollectionPath.album(album.id), ResourcePaths.cover(album.first), summary)
    }

    fileprivate func artistCard(_ artist: LibraryCollection<AudioTrackRecord>) -> [String: Any] {
        card(
            artist.name, CollectionPath.artist(artist.id), ResourcePaths.cover(artist.first),
            text.trackCount(artist.count))
    }

    /// A title in the list of its series.
    fileprivate func episode(_ title: TitleRecord) -> [String: Any] {
        item(
            title.title, ClubPath.watch(title.id), number: title.details.number(.episode),
            image: ResourcePaths.poster(title), duration: title.duration)
    }

    /// A track in the list of its album.
    fileprivate func albumTrack(_ track: AudioTrackRecord) -> [String: Any] {
        item(track.title, CollectionPath.track(track.id), number: track.trackNumber, duration: track.duration)
    }

    private func item(
        _ name: String, _ path: String, number: Int?, image: String? = nil, duration: Double?
    ) -> [String: Any] {
        var values: [String: Any] = ["name": Self.displayed(name), "path": path]
        if let number { values["number"] = "\(number)" }
        if let image { values["image"] = image }
        if let duration { values["duration"] = PlayingTime.text(duration) }
        return values
    }
}
