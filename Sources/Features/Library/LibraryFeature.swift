import APIContract
import Accounts
import Catalogue
import Database
import Events
import HTTPEndpoints
import LibraryStorage
import WebAPI
import VideoClub
import WebSite
import Webhooks
import Workflows

/// Titles, tracks, collections, and the jobs that make them.
struct LibraryFeature: Feature {
    static let schemas = [CatalogueSchema.schema, StoredFileSchema.schema]
    static let events = [
        EventKind(.job, [.jobChanged]) { _, _, audiences in audiences.jobs },
        EventKind(.title, [.titleReady]) { id, _, audiences in audiences.title(id: id) },
        EventKind(.track, [.trackReady]) { id, _, audiences in audiences.track(id: id) },
    ]

    private let content: any ContentSource
    let endpoints: [Endpoint]

    static func open(on ground: Ground, _ parts: inout Parts) async throws {
        parts.add(try await Catalogue.open(ground.database, program: Product.version))
    }

    init?(_ station: Station) {
        content = station.content
        endpoints = Self.library(station).endpoints
    }

    /// The endpoints of the library of a server.
    static func library(_ station: Station) -> LibraryEndpoints {
        var library = LibraryEndpoints(
            content: station.content, presets: station.presets, threadPool: station.threadPool,
            delivery: station.delivery)
        library.club = station.parts[VideoClub.self]
        library.titleKeys = station.titleKeys
        library.mediaStore = station.mediaStore
        return library
    }

    func pages(_ frame: AccountPages) -> [Endpoint] { LibraryPages(pages: frame, content: content).endpoints }

    func metrics() async -> [MetricFamily] {
        guard let counts = try? await content.readyCounts(visibleTitles: nil, visibleTracks: nil) else { return [] }
        return LibraryMetrics(titleCount: counts.titles, trackCount: counts.tracks).families
    }
}
