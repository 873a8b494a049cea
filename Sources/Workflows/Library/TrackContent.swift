package import Catalogue
package import MediaCore

/// The tracks of the library, as lists and pages show them.
package protocol TrackContent: Sendable {
    /// One page of audio tracks; the parameters are those of the lists of titles.
    func tracks(_ query: RecordQuery, after cursor: String?, limit: Int) async throws -> ListPage<AudioTrackRecord>
    /// The audio track with an id; `nil` if there is none.
    func track(id: String) async throws -> AudioTrackRecord?
    /// The words of a track, with or without their times (LRC); `nil` if there is no file of them beside it.
    func lyrics(of track: AudioTrackRecord) async -> String?
    /// The tracks that can be played, the most recently added first.
    func newestTracks(limit: Int, visible: RecordVisibility?) async throws -> [AudioTrackRecord]
}
