/// Whether a record is still the one that a change is meant for; evaluated in the transaction of the change.
package typealias RecordCondition<Record> = @Sendable (Record) -> Bool

/// Storage of the images of titles and tracks; part of ``CatalogueStore``.
package protocol ImageStore: Sendable {
    /// Changes a title's images and nothing else in one transaction, so that concurrent writes of other jobs are
    /// kept.
    ///
    /// - Parameters:
    ///   - id: ID of the title.
    ///   - revision: the revision that the title must have; `nil` for any.
    ///   - condition: whether the title is still the one that the change is meant for.
    ///   - change: changes the images.
    /// - Returns: the title before and after the change; `nil` if there is no title with that ID and revision.
    /// - Throws: `Refusal` with `changedMeanwhile` if it is not; nothing is changed then.
    func changeImages(
        ofTitle id: String, revision: String?, if condition: @escaping RecordCondition<TitleRecord>,
        _ change: @escaping @Sendable (inout TitleImages) -> Void
    ) async throws -> (old: TitleRecord, new: TitleRecord)?
    /// Changes a track's covers and nothing else in one transaction; see
    /// ``changeImages(ofTitle:revision:if:_:)``.
    ///
    /// - Parameters:
    ///   - id: ID of the track.
    ///   - condition: whether the track is still the one that the change is meant for.
    ///   - change: changes the covers.
    /// - Returns: the track before and after the change; `nil` if there is no track with that ID.
    /// - Throws: `Refusal` with `changedMeanwhile` if it is not; nothing is changed then.
    func changeCovers(
        ofTrack id: String, if condition: @escaping RecordCondition<AudioTrackRecord>,
        _ change: @escaping @Sendable (inout TrackCovers) -> Void
    ) async throws -> (old: AudioTrackRecord, new: AudioTrackRecord)?
    /// Playable titles with video but without a storyboard, in the order of their row numbers.
    ///
    /// - Returns: the titles and the row number of the last one; `number` if there are none.
    func titlesWithoutStoryboard(after number: Int64, limit: Int) async throws -> (titles: [TitleRecord], last: Int64)
}

extension ImageStore {
    /// Changes a title's images, whatever else was changed before.
    package func changeImages(
        ofTitle id: String, revision: String?, _ change: @escaping @Sendable (inout TitleImages) -> Void
    ) async throws -> (old: TitleRecord, new: TitleRecord)? {
        try await changeImages(ofTitle: id, revision: revision, if: { _ in true }, change)
    }

    /// Changes a track's covers, whatever else was changed before.
    package func changeCovers(
        ofTrack id: String, _ change: @escaping @Sendable (inout TrackCovers) -> Void
    ) async throws -> (old: AudioTrackRecord, new: AudioTrackRecord)? {
        try await changeCovers(ofTrack: id, if: { _ in true }, change)
    }
}
