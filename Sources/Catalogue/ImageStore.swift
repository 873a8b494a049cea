/// Storage of the images of titles and tracks; part of ``CatalogueStore``.
package protocol ImageStore: Sendable {
    /// Changes a title's images and nothing else in one transaction, so that concurrent writes of other jobs are
    /// kept.
    ///
    /// - Parameters:
    ///   - id: ID of the title.
    ///   - revision: the revision that the title must have; `nil` for any.
    ///   - change: changes the images.
    /// - Returns: the title before and after the change; `nil` if there is no title with that ID and revision.
    func changeImages(
        ofTitle id: String, revision: String?, _ change: @escaping @Sendable (inout TitleImages) -> Void
    ) async throws -> (old: TitleRecord, new: TitleRecord)?
    /// Changes a track's covers and nothing else in one transaction; see ``changeImages(ofTitle:revision:_:)``.
    ///
    /// - Parameters:
    ///   - id: ID of the track.
    ///   - change: changes the covers.
    /// - Returns: the track before and after the change; `nil` if there is no track with that ID.
    func changeCovers(
        ofTrack id: String, _ change: @escaping @Sendable (inout TrackCovers) -> Void
    ) async throws -> (old: AudioTrackRecord, new: AudioTrackRecord)?
    /// Playable titles with video but without a storyboard, in the order of their row numbers.
    ///
    /// - Returns: the titles and the row number of the last one; `number` if there are none.
    func titlesWithoutStoryboard(after number: Int64, limit: Int) async throws -> (titles: [TitleRecord], last: Int64)
}
