import Foundation

@testable import Catalogue

/// A catalogue in a temporary folder, which is deleted with it.
final class TemporaryCatalogue: Sendable {
    let folder: URL
    let catalogue: Catalogue

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "antena-catalogue-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        catalogue = try Catalogue(path: folder.appending(path: "catalogue.sqlite").path)
    }

    var path: String { folder.appending(path: "catalogue.sqlite").path }

    func add(_ title: String, file: String) async throws -> TitleRecord {
        var record = TitleRecord.sample("", title: title, state: .queued)
        record.file = file
        return try await catalogue.add(record)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }
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
