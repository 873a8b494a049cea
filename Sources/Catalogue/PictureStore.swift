/// A title's pictures, as ``TitleRecord`` has them.
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

/// Where titles' pictures are kept; part of what ``CatalogueStore`` keeps.
package protocol PictureStore: Sendable {
    /// Changes a title's pictures and nothing else, in one transaction: what another job writes at the same time stays.
    ///
    /// - Parameter revision: `nil` for whatever it is.
    /// - Returns: the title as it was and as it is then; `nil` where there is none with that id, or it is of another revision.
    func changePictures(
        ofTitle id: String, revision: String?, _ change: @escaping @Sendable (inout TitlePictures) -> Void
    ) async throws -> (old: TitleRecord, new: TitleRecord)?
    /// Titles that play, have a picture and no storyboard, in the order of their row numbers.
    ///
    /// - Returns: with the last one's number; `number` where there are none.
    func titlesWithoutStoryboard(after number: Int64, limit: Int) async throws -> (titles: [TitleRecord], last: Int64)
}
