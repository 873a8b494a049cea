import Glibc
import ISOBMFF
package import MediaCore
package import NIOCore

/// The place of a live segment in an archive file, and what is needed to restore the bytes that players were given.
package struct StoredSegment: Sendable {
    let movie: ArchiveMovie
    package let place: Place

    /// The properties of a stored segment besides its file.
    package struct Place: Sendable, Hashable {
        /// The position in the file.
        package var offset: Int64
        /// The size in the file; zero for a gap.
        package var byteCount: Int
        package var duration: MediaTime
        /// The sequence number of its first fragment as published; later fragments count on from there.
        package var firstSequenceNumber: UInt32
        /// The shift that was added to its decode times, in the track's timescale.
        package var decodeTimeShift: Int64

        /// Creates a place; the parameters are the properties of the same names.
        package init(
            offset: Int64, byteCount: Int, duration: MediaTime, firstSequenceNumber: UInt32, decodeTimeShift: Int64
        ) {
            self.offset = offset
            self.byteCount = byteCount
            self.duration = duration
            self.firstSequenceNumber = firstSequenceNumber
            self.decodeTimeShift = decodeTimeShift
        }

        /// Creates the place of a gap: nothing is stored for that time.
        package init(ofGap duration: MediaTime) {
            self.init(offset: 0, byteCount: 0, duration: duration, firstSequenceNumber: 0, decodeTimeShift: 0)
        }
    }

    init(in movie: ArchiveMovie, at place: Place) {
        self.movie = movie
        self.place = place
    }

    /// Finds a segment that was written before the server started.
    ///
    /// - Parameters:
    ///   - movie: A finished movie.
    ///   - place: Where the segment begins in the movie, and what is known of it.
    /// - Returns: `nil` if the file ends before the segment does.
    package init?(foundIn movie: ArchiveMovie, at place: Place) {
        guard place.offset >= 0, place.byteCount > 0,
            place.offset.addingSaturating(Int64(place.byteCount)) <= movie.file.byteCount
        else { return nil }
        self.init(in: movie, at: place)
    }

    package var duration: MediaTime { place.duration }
    package var byteCount: Int { place.byteCount }

    /// Reads the segment, byte for byte as it was in memory.
    ///
    /// - Parameter cachedOnly: Whether to fail instead of waiting for the disk.
    /// - Returns: `nil` if `cachedOnly` is set and not all of it is in the page cache.
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
