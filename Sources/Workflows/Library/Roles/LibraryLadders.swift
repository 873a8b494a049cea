import LibraryCore
package import MediaCore
package import VODLibrary

/// The renditions that are encoded for titles.
package protocol LibraryLadders: Sendable {
    /// Queues the encoding of a title's ladder; `nil` if there is no such title.
    ///
    /// - Parameters:
    ///   - id: the title's ID.
    ///   - presets: the presets to choose from.
    ///   - bandwidthLimit: the BANDWIDTH below which the lowest rendition has to stay with its audio, in bits per
    ///     second; `nil` for no limit.
    /// - Throws: `LibraryError`, `WorkerFailure`
    func makeLadder(
        ofTitle id: String, presets: [QualityPreset], bandwidthLimit: Int?
    ) async throws -> LadderStatus?
    /// The state of a title's ladder; `nil` if there is no such title.
    func ladderStatus(ofTitle id: String) async throws -> LadderStatus?
    /// Cancels the encoding of a title's ladder, or deletes the ladder if it is complete; `nil` if there is no such
    /// title.
    func dropLadder(ofTitle id: String) async throws -> LadderStatus?
}

extension LibraryLadders {
    /// Queues the encoding of a title's ladder without a limit; `nil` if there is no such title.
    ///
    /// - Throws: `LibraryError`, `WorkerFailure`
    package func makeLadder(ofTitle id: String, presets: [QualityPreset]) async throws -> LadderStatus? {
        try await makeLadder(ofTitle: id, presets: presets, bandwidthLimit: nil)
    }
}
