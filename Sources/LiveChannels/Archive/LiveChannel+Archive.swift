import HLSPlaylist
import Packaging

extension LiveChannel {
    /// Records the push that is shown, from the next finished segment on. Without effect while that is being done.
    ///
    /// - Throws: ``RecordingError``
    package func startRecording() throws(RecordingError) -> RecordingStatus {
        guard let archive else { throw RecordingError(.noArchive, "this server keeps nothing on disk") }
        guard withState({ $0.epoch?.isSlate == false }) else {
            throw RecordingError(.nobodyPublishes, "nobody is broadcasting on \(name) now; there is nothing to record")
        }
        archive.startRecording()
        return archive.status
    }

    /// Ends the recording, which becomes a title. Without effect while nothing is recorded; a channel that is always
    /// recorded is so again when somebody says so.
    ///
    /// - Throws: ``RecordingError``
    package func stopRecording() async throws(RecordingError) -> RecordingStatus {
        guard let archive else { throw RecordingError(.noArchive, "this server keeps nothing on disk") }
        await archive.stopRecording()
        return archive.status
    }

    /// A segment that memory does not hold any longer.
    package func archivedSegment(rendition: Substring, mediaSequence: Int, epoch: Substring) -> ArchivedSegment? {
        withState { $0.find(rendition) { $0.archived.segment(mediaSequence: mediaSequence, epoch: epoch) } }
    }
}
