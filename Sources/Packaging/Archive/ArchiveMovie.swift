import Glibc
import ISOBMFF
package import MediaCore
package import NIOCore

/// A fragmented movie that segments are read back from while it grows, when it is finished, and when its name has gone.
package final class ArchiveMovie: Sendable {
    let file: MediaFile
    private let onRelease: (@Sendable (MediaFile) -> Void)?

    /// - Parameter onRelease: called on any thread when nobody can ask for anything in it any more; the file is open
    ///   for as long as the closure holds it.
    init(file: MediaFile, onRelease: (@Sendable (MediaFile) -> Void)?) {
        self.file = file
        self.onRelease = onRelease
    }

    deinit { onRelease?(file) }
}

/// Where a live segment lies in an archive file, and what turns its bytes back into those that players were given.
package struct StoredSegment: Sendable {
    let movie: ArchiveMovie
    let range: FileRange
    package let duration: MediaTime
    /// Of its first fragment, as published; those behind it count on.
    let firstSequenceNumber: UInt32
    /// Was added to its decode times.
    let decodeTimeShift: Int64

    package var byteCount: Int { range.byteCount }

    /// The segment, to the byte as it was when it was in memory.
    ///
    /// - Parameter cachedOnly: do not wait for the disk.
    /// - Returns: `nil` where `cachedOnly` is set and not all of it is in the page cache.
    /// - Throws: ``MediaFileError``
    package func read(cachedOnly: Bool) throws(MediaFileError) -> ByteBuffer? {
        var buffer = ByteBuffer()
        guard try movie.file.appendRanges([range], to: &buffer, cachedOnly: cachedOnly) else { return nil }
        let count = MovieFragmentFields.move(
            &buffer, toTrack: MediaInitializationSection.trackID,
            shiftedBy: Int64.zero.subtractingSaturating(decodeTimeShift), from: firstSequenceNumber)
        guard count != nil else {
            throw MediaFileError(path: movie.file.path, operation: "find a segment in", errno: EILSEQ)
        }
        return buffer
    }
}
