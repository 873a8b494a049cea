package import Foundation
import GRDB

/// A radio track.
package struct AudioTrackRecord: Sendable, Codable, Equatable {
    /// URL-safe, unique, and kept for as long as the file keeps its name.
    package var id: String
    package var title: String
    package var artist: String?
    package var album: String?
    package var year: Int?
    package var trackNumber: Int?
    package var genre: String?
    /// Relative to the media folder; unique.
    package var file: String
    package var sourcePath: String
    /// The MP4 that HLS is packaged from: the source itself, or what it was converted to.
    package var mediaPath: String?
    package var state: TitleState
    package var error: String?
    package var ingestSeconds: Double?
    /// Seconds.
    package var duration: Double?
    package var codec: String?
    package var sampleRate: Int?
    package var channels: Int?
    /// Of the source.
    package var byteCount: Int64
    package var modifiedAt: Date
    package var revision: String
    /// Path of the cover art.
    package var cover: String?
    package var coverMediaType: String?
    package var addedAt: Date
    /// Id of the first one with the same content; found out after it plays, and never written with the rest.
    package var duplicateOf: String?

    package init(
        id: String, title: String, artist: String? = nil, album: String? = nil, year: Int? = nil,
        trackNumber: Int? = nil, genre: String? = nil, file: String, sourcePath: String,
        mediaPath: String? = nil, state: TitleState = .queued, error: String? = nil,
        ingestSeconds: Double? = nil, duration: Double? = nil, codec: String? = nil, sampleRate: Int? = nil,
        channels: Int? = nil, byteCount: Int64, modifiedAt: Date, revision: String, cover: String? = nil,
        coverMediaType: String? = nil, addedAt: Date
    ) {
        self.id = id
        self.title = title
        self.artist = artist
        self.album = album
        self.year = year
        self.trackNumber = trackNumber
        self.genre = genre
        self.file = file
        self.sourcePath = sourcePath
        self.mediaPath = mediaPath
        self.state = state
        self.error = error
        self.ingestSeconds = ingestSeconds
        self.duration = duration
        self.codec = codec
        self.sampleRate = sampleRate
        self.channels = channels
        self.byteCount = byteCount
        self.modifiedAt = modifiedAt
        self.revision = revision
        self.cover = cover
        self.coverMediaType = coverMediaType
        self.addedAt = addedAt
    }
}

extension AudioTrackRecord: CatalogueRecord {
    package static let databaseTableName = "audioTrack"
    static let searchTableName = "audioTrackSearch"
    static let fallbackID = "track"
    var searchText: String { [title, artist, album, file].compactMap(\.self).joined(separator: " ") }
}
