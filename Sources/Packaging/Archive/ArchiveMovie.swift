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

    /// One that is written no longer.
    ///
    /// - Throws: ``MediaFileError``
    package convenience init(
        path: String, onRelease: (@Sendable (MediaFile) -> Void)?
    ) throws(MediaFileError) {
        self.init(file: try MediaFile(path: path), onRelease: onRelease)
    }

    deinit { onRelease?(file) }
}

/// Where a live segment lies in an archive file, and what turns its bytes back into those that players were given.
package struct StoredSegment: Sendable {
    let movie: ArchiveMovie
    package let place: Place

    /// What has to be known of it besides the file.
    package struct Place: Sendable, Hashable {
        package var offset: Int64
        package var byteCount: Int
        package var duration: MediaTime
        /// Of its first fragment, as published; those behind it count on.
        package var firstSequenceNumber: UInt32
        /// Was added to its decode times.
        package var decodeTimeShift: Int64

        package init(
            offset: Int64, byteCount: Int, duration: MediaTime, firstSequenceNumber: UInt32, decodeTimeShift: Int64
        ) {
            self.offset = offset
            self.byteCount = byteCount
            self.duration = duration
            self.firstSequenceNumber = firstSequenceNumber
            self.decodeTimeShift = decodeTimeShift
        }

        /// Nothing is stored of that time.
        package init(ofGap duration: MediaTime) {
            self.init(offset: 0, byteCount: 0, duration: duration, firstSequenceNumber: 0, decodeTimeShift: 0)
        }
    }

    init(in movie: ArchiveMovie, at place: Place) {
        self.movie = movie
        self.place = place
    }

    /// One that was written before the server started.
    ///
    /// - Parameter movie: was there already, and is written no longer.
    /// - Returns: `nil` where the file ends before the segment does.
    package init?(foundIn movie: ArchiveMovie, at place: Place) {
        guard place.offset >= 0, place.byteCount > 0,
            place.offset.addingSaturating(Int64(place.byteCount)) <= movie.file.byteCount
        else { return nil }
        self.init(in: movie, at: place)
    }

    package var duration: MediaTime { place.duration }
    package var byteCount: Int { place.byteCount }

    /// The segment, to the byte as it was when it was in memory.
    ///
    /// - Parameter cachedOnly: do not wait for the disk.
    /// - Returns: `nil` where `cachedOnly` is set and not all of it is in the page cache.
    /// - Throws: ``MediaFileError``
    package func read(cachedOnly: Bool) throws(MediaFileError) -> ByteBuffer? {
        var buffer = ByteBuffer()
        let range = FileRange(offset: place.offset, byteCount: place.byteCount)
        guard try movie.file.appendRanges([range], to: &buffer, cachedOnly: cachedOnly) else { return nil }
        let count = MovieFragmentFields.move(
            &buffer, toTrack: MediaInitializationSection.trackID,
            shiftedBy: Int64.zero.subtractingSaturating(place.decodeTimeShift), from: place.firstSequenceNumber)
        guard count != nil else {
            throw MediaFileError(path: movie.file.path, operation: "find a segment in", errno: EILSEQ)
        }
        return buffer
    }
}
