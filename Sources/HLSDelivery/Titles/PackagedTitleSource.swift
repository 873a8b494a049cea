/// The source of the delivery handler's titles and tracks.
package protocol PackagedTitleSource: Sendable {
    /// The title or track at an address.
    ///
    /// - Throws: ``TitlesUnavailable``
    func packagedTitle(at address: TitleAddress) async throws -> TitleLookup
    /// The original file of a track; `nil` if there is no such track, or its file has been removed.
    ///
    /// - Throws: ``TitlesUnavailable``
    func trackFile(id: String) async throws -> TrackFile?
}
