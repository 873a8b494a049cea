package import Foundation
package import LibraryDetails

/// A video title.
package struct TitleRecord: Sendable, Equatable {
    /// ID that is URL-safe, unique, and stable as long as the file keeps its name.
    package var id: String
    package var title: String
    /// File name relative to the media folder; unique.
    package var file: String
    package var sourcePath: String
    /// Path of the MP4 that is packaged: the source itself, or its conversion. `nil` until it exists.
    package var mediaPath: String?
    package var state: TitleState
    /// Progress of transcoding from 0 to 1; `nil` in other states.
    package var progress: Double?
    /// Human-readable reason of a failed ingest; `nil` if it has not failed.
    package var error: String?
    /// Duration of the ingest in seconds, until the title was playable or the ingest failed.
    package var ingestSeconds: Double?
    /// Duration in seconds.
    package var duration: Double?
    /// Width of the video in pixels; `nil` until the file has been probed.
    package var width: Int?
    /// Height of the video in pixels; `nil` until the file has been probed.
    package var height: Int?
    /// Frames per second; `nil` until the file has been probed, and if they are not known.
    package var frameRate: Double?
    /// The name of the video codec; `nil` before the file was indexed, and without video.
    package var videoCodec: String?
    /// The name of the audio codec; `nil` before the file was indexed, and without audio.
    package var audioCodec: String?
    /// Size of the source in bytes.
    package var byteCount: Int64
    /// Modification time of the source, with millisecond precision.
    package var modifiedAt: Date
    /// Revision of the media, which is part of each segment's URL and changes whenever the media does.
    package var revision: String
    /// Path of a JPEG image; `nil` if there is none.
    package var poster: String?
    package var addedAt: Date
    /// ID of the first title with the same content, which is determined after the title has become playable. Never
    /// written with the other fields.
    package var duplicateOf: String?
    /// Time in seconds that an operator has chosen for the poster. It is kept if the file is replaced, and never
    /// written with the other fields.
    package var posterTime: Double?
    /// Path of a poster that an operator has uploaded. It is kept if the file is replaced, and never written with the
    /// other fields.
    package var uploadedPoster: String?
    /// Path of the folder with the storyboard; `nil` if there is none.
    package var storyboard: String?
    /// An image beside the file, which is the poster unless an operator has chosen another; `nil` if there is none.
    /// Never written with the other fields.
    package var posterFile: PosterFile?
    /// Human-readable list of omitted parts of the file, with reasons; `nil` if nothing was omitted.
    package var leftOut: String?
    /// The title's kind. It follows from the file, from who has sent it and from the terms of other titles, and is
    /// never written with the other fields.
    package var kind: TitleKind = .film
    /// The effective details, ``title`` included.
    package private(set) var details = ItemDetails()
    /// The details from the file's tags, its name and its folders.
    package var fileDetails = ItemDetails()

    /// Facts that are found out later are left out.
    package init(
        id: String, title: String, file: String, sourcePath: String, state: TitleState = .queued,
        duration: Double? = nil, byteCount: Int64, modifiedAt: Date, revision: String, addedAt: Date
    ) {
        self.id = id
        self.title = title
        self.file = file
        self.sourcePath = sourcePath
        self.state = state
        self.duration = duration
        self.byteCount = byteCount
        self.modifiedAt = modifiedAt
        self.revision = revision
        self.addedAt = addedAt
        details = columnDetails
        fileDetails = columnDetails
    }

    package var columnDetails: ItemDetails {
        var details = ItemDetails()
        details[.title] = .text(title)
        return details
    }

    package mutating func show(_ details: ItemDetails) {
        self.details = details.only(DetailField.ofTitles)
        if let name = details.text(.title) { title = name } else { self.details[.title] = .text(title) }
    }
}
