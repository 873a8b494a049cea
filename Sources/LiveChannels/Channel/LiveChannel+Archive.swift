import HLSPlaylist
import Packaging

extension LiveChannel {
    /// Records the push that is shown, from the next finished segment on. Has no effect while a recording is running.
    ///
    /// - Throws: ``RecordingError``
    package func startRecording() throws(RecordingError) -> RecordingStatus {
        guard let archive else { throw RecordingError(.noArchive, "this server has no archive") }
        guard withState({ !$0.presence.isVacant && !$0.presence.isSlate }) else {
            throw RecordingError(.nobodyPublishes, "nobody is broadcasting on \(name) now; there is nothing to record")
        }
        archive.startRecording()
        return archive.status
    }

    /// Ends the recording, which becomes a title. Has no effect while nothing is recorded. A channel that is always
    /// recorded stays unrecorded until somebody starts a recording again.
    ///
    /// - Throws: ``RecordingError``
    package func stopRecording() async throws(RecordingError) -> RecordingStatus {
        guard let archive else { throw RecordingError(.noArchive, "this server has no archive") }
        await archive.stopRecording()
        return archive.status
    }

    /// A segment that memory no longer holds; `nil` if the archive does not have it either.
    package func archivedSegment(rendition: Substring, mediaSequence: Int, epoch: Substring) -> ArchivedSegment? {
        withState { $0.find(rendition) { $0.archived.segment(mediaSequence: mediaSequence, epoch: epoch) } }
    }
}
