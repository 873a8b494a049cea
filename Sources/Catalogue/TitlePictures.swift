/// A title's images: the fields of ``TitleRecord`` that concern them.
package struct TitlePictures: Sendable, Equatable {
    package var poster: String?
    package var posterTime: Double?
    package var uploadedPoster: String?
    package var storyboard: String?

    init(_ title: TitleRecord) {
        poster = title.poster
        posterTime = title.posterTime
        uploadedPoster = title.uploadedPoster
        storyboard = title.storyboard
    }
}
