import Database
import DatabaseTestSupport
import Foundation

@testable import Catalogue

/// A catalogue in a database of a test's own, on the engine of the test.
final class TemporaryCatalogue: Sendable {
    let place: TestDatabase
    let catalogue: Catalogue

    init() throws {
        place = try TestDatabase()
        catalogue = try Catalogue.open(place)
    }

    /// The same database, opened again.
    func reopened() throws -> Catalogue { try Catalogue.open(place) }

    func add(_ title: String, file: String) async throws -> TitleRecord {
        var record = TitleRecord.sample("", title: title, state: .queued)
        record.file = file
        return try await catalogue.add(record)
    }
}

extension TitleRecord {
    static func sample(_ id: String, title: String? = nil, state: TitleState = .ready) -> TitleRecord {
        TitleRecord(
            id: id, title: title ?? id, file: "\(id).mp4", sourcePath: "/media/vod/\(id).mp4", state: state,
            byteCount: 1, modifiedAt: Date(timeIntervalSince1970: 1_700_000_000.5), revision: "r1",
            addedAt: Date(timeIntervalSince1970: 1_700_000_000))
    }
}

extension AudioTrackRecord {
    static func sample(
        _ id: String, title: String? = nil, artist: String? = nil, album: String? = nil, state: TitleState = .ready
    ) -> AudioTrackRecord {
        AudioTrackRecord(
            id: id, title: title ?? id, artist: artist, album: album, file: "\(id).mp3",
            sourcePath: "/media/audio/\(id).mp3", state: state, byteCount: 1,
            modifiedAt: Date(timeIntervalSince1970: 1_700_000_000), revision: "r1",
            addedAt: Date(timeIntervalSince1970: 1_700_000_000))
    }
}
