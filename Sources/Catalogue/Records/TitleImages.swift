/// A title's images: the fields of ``TitleRecord`` that concern them.
package struct TitleImages: Sendable, Equatable {
    /// The path of a JPEG image; `nil` if there is none.
    package var poster: String?
    /// The time in seconds that an operator has chosen for the poster; `nil` if none was chosen.
    package var posterTime: Double?
    /// The path of a poster that an operator has uploaded; `nil` if there is none.
    package var uploadedPoster: String?
    /// The path of the folder with the storyboard; `nil` if there is none.
    package var storyboard: String?
    /// An image beside the file; `nil` if there is none.
    package let posterFile: PosterFile?

    init(_ title: TitleRecord) {
        poster = title.poster
        posterTime = title.posterTime
        uploadedPoster = title.uploadedPoster
        storyboard = title.storyboard
        posterFile = title.posterFile
    }
}
