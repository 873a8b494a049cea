package import Foundation
import GRDB

/// A video title.
package struct TitleRecord: Sendable, Codable, Equatable {
    /// URL-safe, unique, and kept for as long as the file keeps its name.
    package var id: String
    package var title: String
    /// Relative to the media folder; unique.
    package var file: String
    package var sourcePath: String
    /// The MP4 that is packaged: the source itself, or what it was converted to. `nil` until there is one.
    package var mediaPath: String?
    package var state: TitleState
    /// 0 to 1, while transcoding.
    package var progress: Double?
    package var error: String?
    /// From the start of work on it to its being playable.
    package var ingestSeconds: Double?
    /// Seconds.
    package var duration: Double?
    package var width: Int?
    package var height: Int?
    package var frameRate: Double?
    package var videoCodec: String?
    package var audioCodec: String?
    /// Of the source.
    package var byteCount: Int64
    /// Of the source, to the millisecond.
    package var modifiedAt: Date
    /// Changes whenever the media does; part of every segment's URL.
    package var revision: String
    /// Path of a JPEG.
    package var poster: String?
    package var addedAt: Date
    /// Id of the first one with the same content; found out after it plays, and never written with the rest.
    package var duplicateOf: String?
    /// Seconds at which an operator wants the poster; stays when the file is replaced, and is never written with the
    /// rest.
    package var posterTime: Double?
    /// Path of the poster that an operator has sent; likewise.
    package var uploadedPoster: String?
    /// Path of a folder.
    package var storyboard: String?
    /// What of the file is not in the title, and why; for people.
    package var leftOut: String?

    package init(
        id: String, title: String, file: String, sourcePath: String, mediaPath: String? = nil,
        state: TitleState = .queued, progress: Double? = nil, error: String? = nil,
        ingestSeconds: Double? = nil, duration: Double? = nil, width: Int? = nil, height: Int? = nil,
        frameRate: Double? = nil, videoCodec: String? = nil, audioCodec: String? = nil, byteCount: Int64,
        modifiedAt: Date, revision: String, poster: String? = nil, addedAt: Date
    ) {
        self.id = id
        self.title = title
        self.file = file
        self.sourcePath = sourcePath
        self.mediaPath = mediaPath
        self.state = state
        self.progress = progress
        self.error = error
        self.ingestSeconds = ingestSeconds
        self.duration = duration
        self.width = width
        self.height = height
        self.frameRate = frameRate
        self.videoCodec = videoCodec
        self.audioCodec = audioCodec
        self.byteCount = byteCount
        self.modifiedAt = modifiedAt
        self.revision = revision
        self.poster = poster
        self.addedAt = addedAt
    }
}

extension TitleRecord: CatalogueRecord {
    package static let databaseTableName = "title"
    static let searchTableName = "titleSearch"
    static let fallbackID = "title"
    var searchText: String { "\(title) \(file)" }
}
