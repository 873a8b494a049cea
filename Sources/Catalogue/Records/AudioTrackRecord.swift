package import Foundation
package import LibraryDetails

/// An audio track of the radio library.
package struct AudioTrackRecord: Sendable, Equatable {
    /// ID that is URL-safe, unique, and stable as long as the file keeps its name.
    package var id: String
    package var title: String
    package var artist: String?
    package var album: String?
    package var year: Int?
    package var trackNumber: Int?
    package var genre: String?
    /// File name relative to the media folder; unique.
    package var file: String
    package var sourcePath: String
    /// Path of the MP4 from which HLS is packaged: the source itself, or its conversion. `nil` until it exists.
    package var mediaPath: String?
    package var state: TitleState
    /// Human-readable reason of a failed ingest; `nil` if it has not failed.
    package var error: String?
    /// Duration of the ingest in seconds, until the track was playable or the ingest failed.
    package var ingestSeconds: Double?
    /// Duration in seconds.
    package var duration: Double?
    package var codec: String?
    /// Sampling rate in hertz; `nil` until the file has been probed.
    package var sampleRate: Int?
    package var channels: Int?
    /// Size of the source in bytes.
    package var byteCount: Int64
    package var modifiedAt: Date
    package var revision: String
    /// Path of the cover art in the file; `nil` if there is none.
    package var cover: String?
    /// MIME type of the cover art in the file; `nil` if there is none.
    package var coverMediaType: String?
    /// The path of a cover that an operator has uploaded; `nil` if there is none. Never written with the other fields,
    /// nor are the next two.
    package var uploadedCover: String?
    /// An image beside the file; `nil` if there is none.
    package var coverFile: PosterFile?
    /// The path of the JPEG image that was made of the image beside the file; `nil` if there is none yet.
    package var coverOfFile: String?
    package var addedAt: Date
    /// ID of the first track with the same content, which is determined after the track has become playable. Never
    /// written with the other fields.
    package var duplicateOf: String?
    /// The effective details, with the fields that are properties of their own.
    package private(set) var details = ItemDetails()
    /// The details from the file's tags, its name and its folders.
    package var fileDetails = ItemDetails()

    /// Facts that are found out later are left out.
    package init(
        id: String, title: String, artist: String? = nil, album: String? = nil, file: String, sourcePath: String,
        state: TitleState = .queued, duration: Double? = nil, byteCount: Int64, modifiedAt: Date, revision: String,
        addedAt: Date
    ) {
        self.id = id
        self.title = title
        self.artist = artist
        self.album = album
        self.file = file
        self.sourcePath = sourcePath
        self.state = state
        self.duration = duration
        self.byteCount = byteCount
        self.modifiedAt = modifiedAt
        self.revision = revision
        self.addedAt = addedAt
        describeByColumns()
    }

    /// Takes ``details`` and ``fileDetails`` from the properties that are columns of their own.
    package mutating func describeByColumns() {
        details = columnDetails
        fileDetails = columnDetails
    }

    package var columnDetails: ItemDetails {
        var details = ItemDetails()
        details[.title] = .text(title)
        details[.artist] = artist.map(DetailValue.text)
        details[.album] = album.map(DetailValue.text)
        details[.year] = year.map(DetailValue.number)
        details[.trackNumber] = trackNumber.map(DetailValue.number)
        details[.genres] = genre.map { DetailValue.texts([$0]) }
        return details
    }

    package mutating func show(_ details: ItemDetails) {
        self.details = details.only(DetailField.ofTracks)
        if let name = details.text(.title) { title = name } else { self.details[.title] = .text(title) }
        artist = details.text(.artist)
        album = details.text(.album)
        year = details.number(.year)
        trackNumber = details.number(.trackNumber)
        genre = details.texts(.genres)?.joined(separator: ", ")
    }
}
