/// A track's images: the fields of ``AudioTrackRecord`` that concern them, without the one in its file.
package struct TrackCovers: Sendable, Equatable {
    /// The path of a cover that an operator has uploaded; `nil` if there is none.
    package var uploaded: String?
    /// The path of the image made of the one beside the file; `nil` if there is none.
    package var ofFile: String?
    /// An image beside the file; `nil` if there is none.
    package let file: PosterFile?

    init(_ track: AudioTrackRecord) {
        (uploaded, ofFile, file) = (track.uploadedCover, track.coverOfFile, track.coverFile)
    }
}

extension AudioTrackRecord {
    /// The cover that people see, with its MIME type: the operator's, the one beside the file, or the one in it; `nil`
    /// if there is none.
    package var shownCover: (path: String, mediaType: String)? {
        if let uploadedCover { return (uploadedCover, Self.madeMediaType) }
        if coverFile != nil, let coverOfFile { return (coverOfFile, Self.madeMediaType) }
        return cover.map { ($0, coverMediaType ?? Self.madeMediaType) }
    }

    /// The MIME type of images that the library makes.
    private static var madeMediaType: String { "image/jpeg" }
}
